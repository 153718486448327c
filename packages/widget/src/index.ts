export {
  USUAL_LOOK,
  type Widget,
  type WidgetLook,
  widgetAttributes,
  widgetSnippet,
  widgetVariables,
} from './snippet.ts';
export { CallError, type CallState, type Line, WebCall } from './web-call.ts';
