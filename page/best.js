// The best move: a certain cell with its reason, or the best guess with its chances; in a game it counts as a hint.

import { clash, refused } from "./analyse.js";
import { reveal } from "./board.js";
import { helped } from "./clock.js";
import { enqueue } from "./queue.js";
import { board, flags, NOTHING, opened, saying, state } from "./state.js";

const FIRST = {
  opening: "Any cell will do: the first click opens an area.",
  safe: "Any cell will do: the first click is safe.",
  windows: "Any cell will do: the first click is safe.",
};

/** Ask for the best move near the cursor, and frame it with the clues that force it. */
export function best() {
  const { epoch } = state;
  enqueue({
    take() {
      if (state.epoch !== epoch) return null;
      const playing = state.mode === "play";
      if (playing && state.status !== "in play" && !state.replay) return { changes: saying(`The game is ${state.status}.`) };
      if (playing && !opened() && FIRST[state.game.first_click]) return { changes: saying(FIRST[state.game.first_click]) };
      return {
        question: { ask: "best", board: board(), near: state.cursor, flags: flags() },
        what: "looking for the best move",
        done: "found",
        accept(answer) {
          if (answer.conflict) return clash(answer);
          if (answer.cell) helped();
          setTimeout(reveal);
          const marks = new Set([...(answer.clues ?? []), ...(answer.flags ?? [])].map((cell) => cell.join()));
          const { verdicts, counts, odds } = state;
          const found = { ...NOTHING, verdicts, counts, odds, marks, best: answer.cell?.join() ?? null, quiet: true };
          return { ...found, ...(answer.cell && { cursor: answer.cell }), ...saying(answer.sentence) };
        },
        refuse: refused,
      };
    },
  });
}
