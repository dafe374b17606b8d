//! Pieces, maps and functions of libraries against plain counting.
