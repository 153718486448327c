/** Calls and chats with an agent from a web page. `element.ts` and `worklet.ts` are the scripts that the service serves. */

// A call and a chat of a page, without the element. They need a browser.
export {
  CallError,
  type CallState,
  type Line,
  type Opened,
  WebCall,
  type WebCallOptions,
} from './web-call.ts';
export { type ChatLine, type OpenedChat, WebChat, type WebChatOptions } from './web-chat.ts';

// What a web site puts into its pages, and how the element looks there.
export {
  USUAL_LOOK,
  type Widget,
  type WidgetLook,
  widgetAttributes,
  widgetSnippet,
  widgetVariables,
} from './snippet.ts';
