/** Figures by name, of each case of a budget. */
type Budget = Record<string, Record<string, number>>;

/**
 * Compares figures with the table of a budget, which has today's. A change that raises a figure has to raise it there,
 * and so is seen.
 * @returns a line for each figure that is higher, or that the table lacks
 */
export function beyond(table: Budget, measured: Budget): string[] {
  return Object.entries(measured).flatMap(([name, figures]) =>
    Object.entries(figures)
      .filter(([figure, value]) => !(value <= (table[name]?.[figure] ?? Number.NaN)))
      .map(([figure, value]) => `${name}: ${figure} ${value}, in the table ${table[name]?.[figure]}`),
  );
}
