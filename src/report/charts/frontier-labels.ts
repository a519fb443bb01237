/** A point of a drawing, from 0 to 1 from its left and from its floor, and what stands beside it. */
export interface LabelledPoint {
  readonly x: number;
  readonly y: number;
  readonly label: string;
}

/** Where the label of a point is, in pixels from the point, and which way it goes. */
export interface PlacedLabel {
  readonly point: LabelledPoint;
  readonly side: 'left' | 'right';
  readonly risePixels: number;
}

/** Widths of the drawing, from a telephone's to a wide screen's, at which labels must not touch. */
const PLOT_WIDTHS = [300, 420, 560, 760, 1020];
const CHARACTER_PIXELS = 7.4;
const LABEL_PIXELS = 17;
/** From the middle of a mark to where its label begins. */
const GAP_PIXELS = 11;
const MARK_PIXELS = 8;
/** Farther away nobody would know which mark is meant. */
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
  const [bottom, top] = [middle - LABEL_PIXELS / 2, middle + LABEL_PIXELS / 2];
  return side === 'right'
    ? { left: near, right: near + length, bottom, top }
    : { left: near - length, right: near, bottom, top };
}

function markBox({ x, y }: LabelledPoint, { width, height }: Drawing): Box {
  const [across, up] = [x * width, y * height];
  return { left: across - MARK_PIXELS, right: across + MARK_PIXELS, bottom: up - MARK_PIXELS, top: up + MARK_PIXELS };
}

const touch = (one: Box, other: Box): boolean =>
  one.left < other.right && other.left < one.right && one.bottom < other.top && other.bottom < one.top;

/**
 * A place for the label of each point where it touches no other label and no mark, however wide the page is; points
 * for which there is none go without: the table below names them. Quadratic in points.
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
        !points.some((point) => touch(box, markBox(point, drawing))) &&
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
