/** A date in American English. Browsers may put a narrow space before AM and PM, which would break hydration. */
export const formatDate = (date: Date, options: Intl.DateTimeFormatOptions): string =>
  date.toLocaleString("en-US", options).replaceAll("\u202f", " ");
