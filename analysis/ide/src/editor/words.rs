//! Words about attributes and keywords, for hovers and completion.

/// Attribute, and what it says.
pub(crate) const ATTRIBUTES: &[(&str, &str)] = &[
    ("layer", "`{:layer n}` or `{:layer low,high}`: the layers at which this exists or is checked"),
    (
        "linear",
        "`{:linear}`: the permissions in this value exist once; borrowed for the call when on a parameter",
    ),
    ("linear_in", "`{:linear_in}`: the caller gives the permissions away"),
    ("linear_out", "`{:linear_out}`: the caller gets the permissions back"),
    ("hide", "`{:hide}`: not part of the interface to the refined action"),
    ("sync", "`{:sync}`: the asynchronous call may be treated as if it happened at once"),
    ("inline", "`{:inline}`: every application is replaced by the body"),
    ("define", "`{:define}`: the body is handed to the solver as a definition"),
    ("builtin", "`{:builtin \"f\"}`: a function of the solver"),
    ("pool", "`{:pool \"P\"}`: try terms of pool P for this bound variable"),
    ("add_to_pool", "`{:add_to_pool \"P\", e}`: put e into pool P"),
    ("yields", "`{:yields}`: another thread may run at each round of this loop"),
    ("msg", "`{:msg \"text\"}`: say this when the assertion fails"),
    ("id", "`{:id \"name\"}`: a name for this statement"),
    ("ignore", "`{:ignore}`: leave this declaration out"),
    ("extern", "`{:extern}`: another declaration of the name takes precedence"),
    ("lemma", "`{:lemma}`: a pure procedure that only proves its postcondition"),
];

/// What an attribute says.
pub(crate) fn attribute(name: &str) -> Option<&'static str> {
    ATTRIBUTES.iter().find(|(known, _)| *known == name).map(|(_, words)| *words)
}
