/** The ids of rows, as they stand in addresses. */
const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

export const isId = (text: string | undefined): text is string => UUID.test(text ?? "");
