const STORED = "polara:search-key";

/** Whether '/' opens the search. A browser that keeps nothing has it on. */
export function isKeyOn(): boolean {
  try {
    return localStorage.getItem(STORED) === null;
  } catch {
    return true;
  }
}

export function turnKey(on: boolean): void {
  try {
    if (on) localStorage.removeItem(STORED);
    else localStorage.setItem(STORED, "off");
  } catch {
    // Then it stays as it is.
  }
}
