-- How far two words are apart is counted by fuzzystrmatch, where this PostgreSQL has it and lets us have it. Without it, or
-- without pg_trgm, no word is corrected; if they come later, by CREATE EXTENSION, they are used from then on.
DO $$
BEGIN
  CREATE EXTENSION IF NOT EXISTS fuzzystrmatch;
EXCEPTION WHEN OTHERS THEN
  RAISE NOTICE 'fuzzystrmatch is not available (%): misspelled words will not be corrected', SQLERRM;
END $$;
--> statement-breakpoint
-- The known word that was most likely meant, or null. Two letters that changed places are one mistake. A short word says
-- too little to guess much.
CREATE FUNCTION meant_word(typed text) RETURNS text LANGUAGE plpgsql STABLE AS $$
BEGIN
  IF to_regprocedure('levenshtein(text,text)') IS NULL THEN
    RETURN NULL;
  END IF;
  RETURN (
    WITH alike AS (
      SELECT word, place, levenshtein(word, typed) AS apart
      FROM search_words_like(typed) WITH ORDINALITY AS each (word, place)
    ), counted AS (
      SELECT word, place, CASE WHEN apart = 2
        AND (SELECT array_agg(letter ORDER BY letter) FROM string_to_table(word, NULL) AS letter)
          = (SELECT array_agg(letter ORDER BY letter) FROM string_to_table(typed, NULL) AS letter)
        THEN 1 ELSE apart END AS mistakes
      FROM alike
    )
    SELECT word FROM counted
    WHERE mistakes <= CASE WHEN length(typed) < 4 THEN 0 WHEN length(typed) < 8 THEN 1 ELSE 2 END
    ORDER BY mistakes, place LIMIT 1
  );
END $$;
