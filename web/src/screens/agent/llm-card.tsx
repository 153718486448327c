import type { ReactNode } from 'react';
import type { Input } from '../../api/client.ts';
import { ChainField, OFFLINE } from '../../parts/chain-field.tsx';
import { SelectField, TextField } from '../../ui/controls.tsx';
import type { VersionProps } from './types.ts';
import { EditCard } from './edit-card.tsx';
import { useDraft } from '../../drafts/use-draft.ts';
import { t } from '../../words/words.ts';

type Llm = Extract<Input<'editAgent'>, { operation: 'edit_llm' }>['llm'];
type Source = 'workspace' | 'chain' | 'server';
const SOURCES: Readonly<Record<Source, string>> = {
  workspace: 'The models of the workspace',
  chain: 'Vendors of this version',
  server: 'A server of yours',
};

/** The stored settings as the form holds them. The service shows them without a fixed type. */
function draftOf(stored: object | null, first: string) {
  const llm = (stored ?? {}) as Partial<Record<string, unknown>>;
  const text = (key: string): string => {
    const value = llm[key];
    return typeof value === 'string' || typeof value === 'number' ? String(value) : '';
  };
  const chain = Array.isArray(llm['providers']) ? (llm['providers'] as string[]) : null;
  const source: Source =
    llm['provider'] === 'openai_compatible' ? 'server' : chain === null ? 'workspace' : 'chain';
  return {
    source,
    chain: (chain ?? [first]) as readonly string[],
    model: text('model'),
    baseUrl: text('base_url'),
    apiKey: text('api_key'),
    temperature: text('temperature'),
    maxTokens: text('max_tokens'),
    onFailure: llm['on_model_failure'] === 'script' ? 'script' : 'apologise',
  };
}

function requestOf(draft: ReturnType<typeof draftOf>): Llm {
  const isServer = draft.source === 'server';
  const hasModel = isServer || (draft.source === 'chain' && draft.chain[0] !== OFFLINE);
  return {
    provider: isServer ? 'openai_compatible' : 'default',
    ...(draft.source === 'chain' ? { providers: draft.chain as NonNullable<Llm['providers']> } : {}),
    ...(hasModel && draft.model !== '' ? { model: draft.model } : {}),
    ...(isServer ? { base_url: draft.baseUrl } : {}),
    ...(isServer && draft.apiKey !== '' ? { api_key: draft.apiKey } : {}),
    ...(draft.temperature === '' ? {} : { temperature: Number(draft.temperature) }),
    ...(draft.maxTokens === '' ? {} : { max_tokens: Number(draft.maxTokens) }),
    on_model_failure: draft.onFailure === 'script' ? 'script' : 'apologise',
  };
}

/** The language model of this version. A masked key keeps the stored one. */
export function LlmCard({
  available,
  ...target
}: VersionProps & { available: readonly string[] }): ReactNode {
  const form = useDraft(draftOf(target.version.agent_config.llm, available[0] ?? OFFLINE), 'Language model');
  const { draft, set } = form;
  return (
    <EditCard
      title={t('Language model')}
      target={target}
      edit={{ operation: 'edit_llm', llm: requestOf(draft) }}
      form={form}
    >
      {(errorOf) => {
        const field = (
          name: 'model' | 'baseUrl' | 'apiKey' | 'temperature' | 'maxTokens',
          wire: string,
          label: string,
          more: object = {},
        ): ReactNode => (
          <TextField
            label={label}
            value={draft[name]}
            readOnly={!target.mayEdit}
            error={errorOf(`llm.${wire}`)}
            onChange={(event) => set({ [name]: event.target.value })}
            {...more}
          />
        );
        return (
          <>
            <SelectField
              label={t('Provider of the model')}
              value={draft.source}
              readOnly={!target.mayEdit}
              onChange={(event) => set({ source: event.target.value as Source })}
            >
              {Object.entries(SOURCES).map(([source, name]) => (
                <option key={source} value={source}>
                  {t(name)}
                </option>
              ))}
            </SelectField>
            {draft.source === 'chain' ? (
              <ChainField
                label={t('Models')}
                chain={draft.chain}
                available={available}
                readOnly={!target.mayEdit}
                error={errorOf('llm.providers')}
                onChange={(chain) => set({ chain })}
              />
            ) : null}
            {draft.source === 'server' ? (
              <>
                {field('baseUrl', 'base_url', 'Address of the server', {
                  type: 'url',
                  required: true,
                  hint: t('Such as https://llm.example.com/v1.'),
                })}
                {field('apiKey', 'api_key', 'Key', { autoComplete: 'off' })}
              </>
            ) : null}
            {draft.source === 'workspace'
              ? null
              : field('model', 'model', 'Model', { required: draft.source === 'server' })}
            <div className="grid grid-cols-2 gap-3">
              {field('temperature', 'temperature', 'Temperature', {
                type: 'number',
                min: 0,
                max: 2,
                step: 0.1,
                hint: t('Empty: usual.'),
              })}
              {field('maxTokens', 'max_tokens', 'Longest reply, tokens', {
                type: 'number',
                min: 16,
                max: 4000,
                hint: t('Empty: usual.'),
              })}
            </div>
            <SelectField
              label={t('When no model answers')}
              value={draft.onFailure}
              readOnly={!target.mayEdit}
              hint={t('The script engine follows only what the prompt says word by word.')}
              onChange={(event) => set({ onFailure: event.target.value })}
            >
              <option value="apologise">{t('Apologise, and ask the model again at the next turn')}</option>
              <option value="script">{t('Let the script engine reply')}</option>
            </SelectField>
          </>
        );
      }}
    </EditCard>
  );
}
