//! Reading the text of tokens that carry a value.

/// The name an identifier token stands for: a leading backslash only lifts keyword status.
pub fn ident_text(text: &str) -> &str {
    text.strip_prefix('\\').unwrap_or(text)
}

/// The characters between the quotes of a string token; nothing is unescaped.
pub fn string_text(text: &str) -> &str {
    let inner = text.strip_prefix('"').unwrap_or(text);
    inner.strip_suffix('"').unwrap_or(inner)
}
