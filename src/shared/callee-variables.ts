/** The variables that every conversation has of its person, under the names that scripts use; only those given. */
export const calleeVariables = ({
  name,
  number,
}: {
  readonly name?: string;
  readonly number?: string;
}): Record<string, string> => ({
  ...(name === undefined ? {} : { callee_name: name }),
  ...(number === undefined ? {} : { mobile_number: number }),
});
