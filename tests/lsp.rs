//! Conversations with the language server over real pipes.
