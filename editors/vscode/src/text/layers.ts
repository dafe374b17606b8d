// The layers that a text mentions, for a list to choose from. The server decides what exists at each.

const LAYER = /\{:layer\s+(\d+)(?:\s*,\s*(\d+))?\s*\}/g;

export function layersIn(text: string): readonly number[] {
  const found = new Set<number>();
  for (const [, low, high] of text.matchAll(LAYER)) {
    for (const number of [low, high]) {
      if (number !== undefined && number.length < 10) found.add(Number(number));
    }
  }
  return [...found].sort((a, b) => a - b);
}
