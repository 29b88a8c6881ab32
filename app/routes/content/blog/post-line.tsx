type PostLineProps = { category: string; date: string; readingMinutes: number };

/** What kind of post, from when, how long. */
export function PostLine({ category, date, readingMinutes }: PostLineProps) {
  const day = new Date(date).toLocaleDateString("en-US", {
    year: "numeric",
    month: "long",
    day: "numeric",
    timeZone: "UTC",
  });
  return (
    <p className="flex flex-wrap gap-x-4 gap-y-1 text-[15px] text-ink-soft">
      <span className="font-semibold text-leaf">{category}</span>
      <time dateTime={date}>{day}</time>
      <span>{readingMinutes} min read</span>
    </p>
  );
}
