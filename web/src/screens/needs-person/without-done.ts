interface Page<Call> {
  readonly calls: readonly Call[];
  readonly total: number;
}

/** A page of calls and their number without those that the reader has just marked as done. */
export function withoutDone<Call extends { readonly call_id: string }>(
  { calls, total }: Page<Call>,
  done: ReadonlySet<string>,
): Page<Call> {
  const left = calls.filter(({ call_id: id }) => !done.has(id));
  return { calls: left, total: total - (calls.length - left.length) };
}
