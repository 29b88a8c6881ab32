import { z } from "zod";
import { EMAIL_WORDS, emailProblem } from "./email-address.ts";

/** The email of a form, trimmed. Its one problem, if any, is told in `words`. */
export const emailField = (words = EMAIL_WORDS) =>
  z
    .string({ error: words.missing })
    .trim()
    .superRefine((email, { addIssue }) => {
      const message = emailProblem(email, words);
      if (message) addIssue({ code: "custom", message });
    });
