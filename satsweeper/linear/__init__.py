"""Linear algebra on the equations of clues: what counting modulo a prime proves, exactly."""
