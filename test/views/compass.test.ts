import { expect, it } from 'vitest';
import { quarterNames } from '#views/pub/charts/compass.ts';

const RADIUS = 184;
const MARK = 17;

/** The box of the dial that a name of at most 11 letters covers. */
const boxOf = ({ x, y }: { x: number; y: number }) => ({
  left: x - 55,
  right: x + 55,
  top: y - 16,
  bottom: y + 5,
});

it('the mark of the compass hides no name, and every name stays within the dial and off its axis', () => {
  const problems: string[] = [];
  for (let x = 30; x <= 370; x += 5)
    for (let y = 30; y <= 370; y += 5)
      for (const one of quarterNames({ x, y })) {
        const { left, right, top, bottom } = boxOf(one);
        const covered = x + MARK > left && x - MARK < right && y + MARK > top && y - MARK < bottom;
        const corners = [left, right].flatMap((across) =>
          [top, bottom].map((down) => [across, down] as const),
        );
        const outside = corners.some(([across, down]) => Math.hypot(across - 200, down - 200) > RADIUS);
        const onAxis = top < 180 && bottom > 180;
        if (covered || outside || onAxis) problems.push(`${one.name} with a mark at ${x}, ${y}`);
      }
  expect(problems).toEqual([]);
});

it('without a mark the names of a compass are in the middle of their quarters', () => {
  expect(quarterNames(undefined).map(({ x, y }) => [x, y])).toEqual([
    [108, 128],
    [292, 128],
    [108, 282],
    [292, 282],
  ]);
});
