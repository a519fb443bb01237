/** A point of a chart with its label. `x` and `y` are 0-1, from the left and from the bottom. */
interface LabelledPoint {
  readonly x: number;
  readonly y: number;
  readonly label: string;
}

/** The side of a point on which its label is, and how many pixels higher. */
interface PlacedLabel {
  readonly point: LabelledPoint;
  readonly side: 'left' | 'right';
  readonly risePixels: number;
}

/** Widths of the chart, from a phone to a wide screen, at which labels must not touch. */
const PLOT_WIDTHS = [300, 420, 560, 760, 1020];
const CHARACTER_PIXELS = 7.4;
const LABEL_PIXELS = 17;
/** From the middle of a symbol to the start of its label. */
const GAP_PIXELS = 11;
const SYMBOL_PIXELS = 8;
/** If a label is farther away, its symbol is not clear. */
const RISES = [0, 13, -13, 20, -20];

interface Box {
  readonly left: number;
  readonly right: number;
  readonly bottom: number;
  readonly top: number;
}

interface Drawing {
  readonly width: number;
  readonly height: number;
}

function labelBox({ point, side, risePixels }: PlacedLabel, { width, height }: Drawing): Box {
  const near = point.x * width + (side === 'right' ? GAP_PIXELS : -GAP_PIXELS);
  const length = point.label.length * CHARACTER_PIXELS;
  const middle = point.y * height + risePixels;
  const bottom = middle - LABEL_PIXELS / 2;
  const top = middle + LABEL_PIXELS / 2;
  return side === 'right'
    ? { left: near, right: near + length, bottom, top }
    : { left: near - length, right: near, bottom, top };
}

function symbolBox({ x, y }: LabelledPoint, { width, height }: Drawing): Box {
  const across = x * width;
  const up = y * height;
  return {
    left: across - SYMBOL_PIXELS,
    right: across + SYMBOL_PIXELS,
    bottom: up - SYMBOL_PIXELS,
    top: up + SYMBOL_PIXELS,
  };
}

const touch = (one: Box, other: Box): boolean =>
  one.left < other.right && other.left < one.right && one.bottom < other.top && other.bottom < one.top;

/**
 * Places the label of each point where it touches no other label or symbol at any width. A point without such a place gets
 * no label: the table below names it. Quadratic in points.
 */
export function placedLabels(points: readonly LabelledPoint[], height: number): PlacedLabel[] {
  const drawings = PLOT_WIDTHS.map((width) => ({ width, height }));
  const placed: PlacedLabel[] = [];
  const isFree = (label: PlacedLabel): boolean =>
    drawings.every((drawing) => {
      const box = labelBox(label, drawing);
      const isInside = box.left >= 0 && box.right <= drawing.width && box.bottom >= 0 && box.top <= height;
      return (
        isInside &&
        !points.some((point) => touch(box, symbolBox(point, drawing))) &&
        !placed.some((other) => touch(box, labelBox(other, drawing)))
      );
    });
  for (const point of points) {
    const places = RISES.flatMap((risePixels) =>
      (['right', 'left'] as const).map((side): PlacedLabel => ({ point, side, risePixels })),
    );
    const place = places.find(isFree);
    if (place !== undefined) placed.push(place);
  }
  return placed;
}
