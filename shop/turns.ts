/** Work of one kind that runs one at a time in this process, in order of arrival, because each takes much memory. */
export function openTurns() {
  let last: Promise<unknown> = Promise.resolve();
  return <Result>(work: () => Promise<Result>): Promise<Result> => {
    const done = last.then(work);
    last = done.catch(() => {});
    return done;
  };
}
