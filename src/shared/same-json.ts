/** Whether two JSON values are equal; the order of the keys of objects does not matter. Pure, for services and browsers. */
export function sameJson(left: unknown, right: unknown): boolean {
  if (Object.is(left, right)) return true;
  if (typeof left !== 'object' || typeof right !== 'object' || left === null || right === null) return false;
  if (Array.isArray(left) !== Array.isArray(right)) return false;
  const [own, other] = [new Map(Object.entries(left)), new Map(Object.entries(right))];
  return (
    own.size === other.size &&
    [...own].every(([key, value]) => other.has(key) && sameJson(value, other.get(key)))
  );
}
