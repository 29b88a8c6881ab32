const all = globalThis as { polaraSingletons?: Map<string, unknown> };

/** The one value of this name in the process, made when it is first asked for. It outlives modules that development reloads. */
export function singleton<Value>(name: string, make: () => Value): Value {
  const made = (all.polaraSingletons ??= new Map());
  if (!made.has(name)) made.set(name, make());
  return made.get(name) as Value;
}
