import type { Db } from '../database.ts';

/** A vendor's voice that a workspace has chosen. `voiceKey` is `<vendor>:<the vendor's own name>`. */
export interface ChosenVoice {
  readonly id: string;
  readonly voiceKey: string;
  readonly name: string;
  readonly gender: string;
  readonly languages: readonly string[];
  readonly description: string;
}

/** The vendors' voices that the workspace has chosen: all, or those of `ids`. */
export async function findChosenVoices(
  db: Db,
  workspaceId: string,
  ids: readonly string[] | null = null,
): Promise<ChosenVoice[]> {
  let query = db
    .selectFrom('workspace_voices')
    .select(['voice_id as id', 'voice_key as voiceKey', 'name', 'gender', 'languages', 'description'])
    .where('workspace_id', '=', workspaceId);
  if (ids !== null) query = query.where('voice_id', 'in', [...ids]);
  return query.orderBy('voice_id').execute();
}

/** Stores the voices; those that are known get the vendor's latest name and languages. */
export async function keepVoices(db: Db, workspaceId: string, voices: readonly ChosenVoice[]): Promise<void> {
  if (voices.length === 0) return;
  await db
    .insertInto('workspace_voices')
    .values(
      voices.map((voice) => ({
        workspace_id: workspaceId,
        voice_id: voice.id,
        voice_key: voice.voiceKey,
        name: voice.name,
        gender: voice.gender,
        languages: [...voice.languages],
        description: voice.description,
      })),
    )
    .onConflict((conflict) =>
      conflict.columns(['workspace_id', 'voice_id']).doUpdateSet((row) => ({
        name: row.ref('excluded.name'),
        gender: row.ref('excluded.gender'),
        languages: row.ref('excluded.languages'),
        description: row.ref('excluded.description'),
      })),
    )
    .execute();
}
