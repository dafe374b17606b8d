//! Layers, ranges and sets of layers.

use std::fmt;
use std::sync::Arc;

/// A layer number, at most [`Layer::MAX`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Layer(pub u32);

impl Layer {
    /// The lowest layer.
    pub const ZERO: Layer = Layer(0);
    /// The highest layer.
    pub const MAX: Layer = Layer(2_147_483_647);

    /// The next higher layer.
    pub fn next(self) -> Layer {
        Layer(self.0.saturating_add(1))
    }
}

impl fmt::Display for Layer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

/// A non-empty interval of layers, both ends included.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct LayerRange {
    low: Layer,
    high: Layer,
}

impl LayerRange {
    /// Every layer.
    pub const ALL: LayerRange = LayerRange { low: Layer::ZERO, high: Layer::MAX };

    /// The layers from `low` to `high`; nothing if there are none.
    pub fn new(low: Layer, high: Layer) -> Option<LayerRange> {
        (low <= high).then_some(LayerRange { low, high })
    }

    /// One layer only.
    pub fn single(layer: Layer) -> LayerRange {
        LayerRange { low: layer, high: layer }
    }

    /// The layers from 0 to `high`.
    pub fn up_to(high: Layer) -> LayerRange {
        LayerRange { low: Layer::ZERO, high }
    }

    /// The lowest layer of the range.
    pub fn low(self) -> Layer {
        self.low
    }

    /// The highest layer of the range.
    pub fn high(self) -> Layer {
        self.high
    }

    /// Is `layer` in the range?
    pub fn contains(self, layer: Layer) -> bool {
        self.low <= layer && layer <= self.high
    }

    /// Is every layer of `self` in `other`?
    pub fn is_within(self, other: LayerRange) -> bool {
        other.low <= self.low && self.high <= other.high
    }

    /// Do the ranges share a layer?
    pub fn overlaps(self, other: LayerRange) -> bool {
        self.low <= other.high && other.low <= self.high
    }

    /// The smallest range that contains both.
    pub fn hull(self, other: LayerRange) -> LayerRange {
        LayerRange { low: self.low.min(other.low), high: self.high.max(other.high) }
    }
}

impl fmt::Display for LayerRange {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "[{}, {}]", self.low, self.high)
    }
}

/// The layers written in `{:layer ..}` attributes: sorted, without duplicates, possibly none.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Default)]
pub struct LayerSet(Arc<[Layer]>);

impl LayerSet {
    /// The set of these layers.
    pub fn new(mut layers: Vec<Layer>) -> LayerSet {
        layers.sort_unstable();
        layers.dedup();
        LayerSet(layers.into())
    }

    /// The layers, ascending.
    pub fn as_slice(&self) -> &[Layer] {
        &self.0
    }

    /// Is no layer given?
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Is `layer` in the set?
    pub fn contains(&self, layer: Layer) -> bool {
        self.0.binary_search(&layer).is_ok()
    }

    /// The lowest layer.
    pub fn min(&self) -> Option<Layer> {
        self.0.first().copied()
    }

    /// The highest layer.
    pub fn max(&self) -> Option<Layer> {
        self.0.last().copied()
    }

    /// The smallest range that contains the set; nothing for the empty set.
    pub fn hull(&self) -> Option<LayerRange> {
        LayerRange::new(self.min()?, self.max()?)
    }
}
