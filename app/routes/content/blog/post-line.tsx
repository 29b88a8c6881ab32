type PostLineProps = { category: string; date: string; day: string; readingMinutes: number };

export function PostLine({ category, date, day, readingMinutes }: PostLineProps) {
  return (
    <p className="flex flex-wrap gap-x-4 gap-y-1 text-[15px] text-ink-soft">
      <span className="font-semibold text-leaf">{category}</span>
      <time dateTime={date}>{day}</time>
      <span>{`${readingMinutes} min read`}</span>
    </p>
  );
}
