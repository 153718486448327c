import type { Widget } from '@callwright/widget';
import { useQuery } from '@tanstack/react-query';

const readWidget = async (): Promise<Widget> => {
  const response = await fetch('/widget/latest.json');
  if (!response.ok) throw new Error('the widget is not built');
  return (await response.json()) as Widget;
};

/** Null while it loads, and where the widget is not built. */
export const useWidget = (): Widget | null =>
  useQuery({ queryKey: ['widget'], queryFn: readWidget }).data ?? null;

export const workletUrl = ({ version }: Widget): string => `/widget/${version}/worklet.js`;
