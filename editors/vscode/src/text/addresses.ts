// Addresses of layer views: they name their source and layer, and look like a file so that they are highlighted.

export const LAYER_SCHEME = "civl-layer";

export interface LayerAddress {
  readonly source: string;
  readonly layer: number;
}

/** The parts of the address of a layer view: its path is shown as the title of the tab. */
export function layerAddress({ source, layer }: LayerAddress): { scheme: string; path: string; query: string } {
  const path = decodeURIComponent(new URL(source).pathname);
  const dot = path.lastIndexOf(".");
  const [stem, end] = dot > path.lastIndexOf("/") ? [path.slice(0, dot), path.slice(dot)] : [path, ".bpl"];
  return { scheme: LAYER_SCHEME, path: `${stem}@layer${layer}${end}`, query: JSON.stringify({ source, layer }) };
}

export function readLayerAddress(query: string): LayerAddress | undefined {
  try {
    const read: unknown = JSON.parse(query);
    if (typeof read !== "object" || read === null) return undefined;
    const { source, layer } = read as Partial<LayerAddress>;
    return typeof source === "string" && typeof layer === "number" ? { source, layer } : undefined;
  } catch {
    return undefined;
  }
}
