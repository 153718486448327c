import { useEffect, useRef, useState, type RefObject } from 'react';
import { fitted, SCALES, zoomed, type Camera, type Size } from './graph-camera.ts';

/** The factor of one notch of the wheel and of a button. */
export const ZOOM_STEP = 1.25;
const WHEEL_PIXELS = 400;

/**
 * The camera of a graph, the size of its window, and the element of the window. Until someone moves it, the camera shows the
 * graph from its top. Ctrl with the wheel zooms; the wheel alone scrolls the page.
 */
export function useGraphCamera(bounds: Parameters<typeof fitted>[0]): {
  readonly windowRef: RefObject<SVGSVGElement | null>;
  readonly camera: Camera;
  readonly view: Size;
  readonly move: (change: (camera: Camera, view: Size) => Camera) => void;
  readonly showAll: () => void;
} {
  const windowRef = useRef<SVGSVGElement>(null);
  const [view, setView] = useState<Size>({ width: 800, height: 600 });
  const [moved, setMoved] = useState<Camera | null>(null);
  const camera = moved ?? fitted(bounds, view, SCALES.readable);
  const move = (change: (camera: Camera, view: Size) => Camera): void => setMoved(change(camera, view));
  const latest = useRef(move);
  useEffect(() => {
    latest.current = move;
  });
  useEffect(() => {
    const element = windowRef.current;
    if (element === null) return undefined;
    const observer = new ResizeObserver(() => {
      const { width, height } = element.getBoundingClientRect();
      setView({ width, height });
    });
    observer.observe(element);
    const onWheel = (event: WheelEvent): void => {
      if (!event.ctrlKey && !event.metaKey) return;
      event.preventDefault();
      const box = element.getBoundingClientRect();
      const pixel = { x: event.clientX - box.x, y: event.clientY - box.y };
      latest.current((before) => zoomed(before, Math.exp(-event.deltaY / WHEEL_PIXELS), pixel));
    };
    // React's listeners of the wheel cannot keep the page from zooming.
    element.addEventListener('wheel', onWheel, { passive: false });
    return () => {
      observer.disconnect();
      element.removeEventListener('wheel', onWheel);
    };
  }, []);
  return { windowRef, camera, view, move, showAll: () => setMoved(fitted(bounds, view)) };
}
