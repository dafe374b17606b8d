//! Structural digests: 128 bits that stand for a whole term.
//!
//! **In:** tags, numbers, texts and digests of parts, in a fixed order.
//! **Out:** the first half of their BLAKE3 hash.
//!
//! # Soundness
//! Terms are equal when their digests are. With a cryptographic hash of 128 bits an
//! accidental collision needs about 2^64 terms, so equality is taken as structural.

use std::fmt;

/// A structural digest.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Digest(pub(crate) u128);

impl fmt::Debug for Digest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:032x}", self.0)
    }
}

/// Collects the parts of a digest. Every part is self-delimiting.
pub(crate) struct DigestBuilder(Vec<u8>);

impl DigestBuilder {
    pub(crate) fn new() -> Self {
        DigestBuilder(Vec::with_capacity(128))
    }

    pub(crate) fn tag(&mut self, tag: u8) {
        self.0.push(tag);
    }

    pub(crate) fn number(&mut self, number: u64) {
        self.0.extend_from_slice(&number.to_le_bytes());
    }

    pub(crate) fn text(&mut self, text: &str) {
        self.bytes(text.as_bytes());
    }

    pub(crate) fn bytes(&mut self, bytes: &[u8]) {
        self.number(bytes.len() as u64);
        self.0.extend_from_slice(bytes);
    }

    pub(crate) fn digest(&mut self, digest: Digest) {
        self.0.extend_from_slice(&digest.0.to_le_bytes());
    }

    pub(crate) fn finish(self) -> Digest {
        let hash = blake3::hash(&self.0);
        let mut half = [0; 16];
        half.copy_from_slice(&hash.as_bytes()[..16]);
        Digest(u128::from_le_bytes(half))
    }
}
