/** One turn as the service measured it. */
export interface MeasuredTurn {
  endpointing_ms: number;
  model_ms: number | null;
  voice_ms: number | null;
  first_audio_ms: number | null;
  total_ms: number;
  prepared: boolean;
}

/** Hangs the calls up and reads the turns of their records. */
export async function measuredTurns(
  url: string,
  key: string,
  callIds: readonly string[],
): Promise<MeasuredTurn[]> {
  const headers = { 'x-api-key': key };
  const turns: MeasuredTurn[] = [];
  for (const id of callIds) {
    await fetch(`${url}/api/v0/calling/${id}/hangup`, {
      method: 'POST',
      headers: { ...headers, 'content-type': 'application/json' },
      body: '{}',
    });
  }
  for (const id of callIds) {
    for (let tries = 0; tries < 50; tries++) {
      const answer = await fetch(`${url}/api/v0/calling/call-details?id=${id}`, { headers });
      const { data } = (await answer.json()) as any;
      if (data.call_status !== 'ongoing') {
        turns.push(...data.latency.turns);
        break;
      }
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
  }
  return turns;
}
