import { withAgentConfig, type EditChange, type EditContext } from './edit-context.ts';

export interface EditIntroMessage {
  intro_message: string;
}

/** Replaces the first message. */
export function editIntroMessage({ config }: EditContext, input: EditIntroMessage): EditChange {
  return withAgentConfig(config, { intro_message: input.intro_message });
}
