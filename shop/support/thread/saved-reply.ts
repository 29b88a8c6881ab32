/** What an answer that is sent often must hold. Errors are sentences for beside the field. */
import { z } from "zod";
import { message, requiredLine } from "../../text.ts";

export const MAX_REPLY_CHARACTERS = 10_000;

export const replyBody = message("Reply", MAX_REPLY_CHARACTERS, "Write what you answer");

export const savedReplySchema = z.object({
  title: requiredLine("Title", 80, "Give it a title"),
  body: message("Text", MAX_REPLY_CHARACTERS, "Write what it says"),
});
