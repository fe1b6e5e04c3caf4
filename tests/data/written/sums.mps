* made by hand
NAME pbcnf
ROWS
 N obj
 E c1
 G c2
 G c3_lower
 L c3_upper
COLUMNS
 MARKER 'MARKER' 'INTORG'
 m_0_0 c1 1
 m_0_0 c2 2
 m_0_0 c3_lower 1
 m_0_0 c3_upper 1
 x2 obj 5
 x2 c1 1
 x2 c2 -1
 x2 c3_lower 1
 x2 c3_upper 1
 x3 obj 0
 MARKER 'MARKER' 'INTEND'
RHS
 RHS obj -3
 RHS c1 1
 RHS c2 0
 RHS c3_lower 2
 RHS c3_upper 1
RANGES
 RNG c2 1
BOUNDS
 BV BND m_0_0
 BV BND x2
 BV BND x3
ENDATA
