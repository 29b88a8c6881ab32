/** Replaces the router's instrumentation in the browser, where nothing uses it, by functions that do nothing. */
export const consumeInstrumentationClientResultMetaReceiver = () => undefined;
export const getRouteInstrumentationUpdates = () => ({});
export const instrumentClientSideRouter = <T>(router: T): T => router;
