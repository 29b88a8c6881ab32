/** The pattern of LIKE for texts in small letters that begin with `text`, in which nothing stands for anything else. */
export const likePrefix = (text: string): string => `${text.toLowerCase().replaceAll(/[\\%_]/g, "\\$&")}%`;
