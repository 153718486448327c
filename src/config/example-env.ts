import { SETTINGS } from './settings.ts';

/** The text of config.example.env: every setting with its description, commented out at its default. */
export function exampleEnv(): string {
  const lines = ['# Settings of Callwright. All are optional; the values shown are the defaults.', ''];
  for (const [name, spec] of Object.entries(SETTINGS)) {
    lines.push(`# ${spec.about}`);
    if (spec.secret) lines.push(`# Alternatively ${name}_FILE: path of a file that contains it.`);
    lines.push(`#${name}=${spec.default ?? ''}`, '');
  }
  return lines.join('\n');
}
