import { PREVIOUS_SUMMARY, variablesIn } from '../../parts/prompt-variables.ts';

/** The part of a version whose texts use variables. */
interface Texts {
  readonly agent_config: {
    readonly intro_message: string;
    readonly prompt_sections: readonly { readonly section_content: string }[];
    readonly custom_variables: readonly string[];
  };
  readonly pre_call_tools: readonly Readonly<Record<string, unknown>>[];
  readonly on_call_tools: readonly Readonly<Record<string, unknown>>[];
}

/** The variables that the texts of a version use. */
export const usedIn = ({ agent_config: config }: Texts): readonly string[] =>
  variablesIn([config.intro_message, ...config.prompt_sections.map((section) => section.section_content)]);

/** What its texts may name: the declared variables, those that a tool sets, and the summary of the last call. */
export function knownIn(
  { agent_config: config, pre_call_tools: before, on_call_tools: during }: Texts,
  declared: readonly string[] = config.custom_variables,
): readonly string[] {
  const fromTools = [...before, ...during].flatMap((tool) =>
    Object.keys((tool['result_variables'] as object | undefined) ?? {}),
  );
  return [...declared, ...fromTools, PREVIOUS_SUMMARY];
}

/** Those that nothing gives a value. */
export function undeclaredIn(
  version: Texts,
  declared: readonly string[] = version.agent_config.custom_variables,
): readonly string[] {
  const known = new Set(knownIn(version, declared));
  return usedIn(version).filter((each) => !known.has(each));
}
