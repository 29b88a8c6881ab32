/** The columns of some rows as arrays, which `unnest` makes rows again: one text for any number of them. */
export const columnsOf = <Row, Key extends keyof Row & string>(rows: readonly Row[], keys: readonly Key[]) =>
  Object.fromEntries(keys.map((key) => [key, rows.map((row) => row[key])])) as { [Each in Key]: Row[Each][] };
