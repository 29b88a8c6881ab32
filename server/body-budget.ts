/** Bytes of bodies that one process holds at once. Each body has its own limit besides (body-limit.ts). */
const MEGABYTE = 1024 * 1024;
const MAX_HELD = 96 * MEGABYTE;
/** Six pictures of a product, or two returns. The rest is for forms, so that large bodies keep nobody from ordering. */
const MAX_OF_LARGE = 64 * MEGABYTE;
/** Share of one network. A single body may exceed it. */
const MAX_OF_ONE = 32 * MEGABYTE;

export type Held = {
  /** Holds so many more bytes. False if there is no room for them. */
  take(bytes: number): boolean;
  /** True while there is room for so many more. */
  hasRoom(bytes: number): boolean;
  release(): void;
};

/** Returns a function that opens the share of a body sent by `subject`, a network or a member. */
export function bodyBudget() {
  const bySubject = new Map<string, number>();
  let total = 0;
  return function open(subject: string, { isLarge }: { isLarge: boolean }): Held {
    let own = 0;
    const held = () => bySubject.get(subject) ?? 0;
    const hasRoom = (bytes: number) =>
      total + bytes <= (isLarge ? MAX_OF_LARGE : MAX_HELD) && (held() === own || held() + bytes <= MAX_OF_ONE);
    function add(bytes: number): void {
      total += bytes;
      own += bytes;
      const sum = held() + bytes;
      if (sum > 0) bySubject.set(subject, sum);
      else bySubject.delete(subject);
    }
    return {
      hasRoom,
      take(bytes) {
        if (!hasRoom(bytes)) return false;
        add(bytes);
        return true;
      },
      release: () => add(-own),
    };
  };
}
