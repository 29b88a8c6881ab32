ALTER TABLE "search_words" ADD COLUMN "in_product_name" boolean DEFAULT false NOT NULL;--> statement-breakpoint
-- In order, so that two transactions that bring the same new words wait for each other and do not deadlock.
CREATE OR REPLACE FUNCTION learn_search_words() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO search_words AS known (word, in_product_name)
    SELECT lexeme, bool_or(NEW.kind = 'product' AND 'A' = ANY (weights))
    FROM unnest(setweight(to_tsvector('simple', NEW.title), 'A') || to_tsvector('simple', concat_ws(' ', NEW.place, NEW.body)))
    WHERE lexeme ~ '^[a-z]{4,}$'
    GROUP BY lexeme
    ORDER BY lexeme
  ON CONFLICT (word) DO UPDATE SET in_product_name = true
    WHERE excluded.in_product_name AND NOT known.in_product_name;
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE OR REPLACE FUNCTION search_words_like(typed text) RETURNS SETOF text LANGUAGE plpgsql STABLE
SET pg_trgm.similarity_threshold = 0.15 AS $$
BEGIN
  IF to_regprocedure('similarity(text,text)') IS NULL THEN
    RETURN;
  END IF;
  RETURN QUERY
    WITH alike AS (
      SELECT word, in_product_name, similarity(word, typed) AS nearness FROM search_words WHERE word % typed
      ORDER BY nearness DESC, word LIMIT 20
    )
    SELECT word FROM alike ORDER BY in_product_name DESC, nearness DESC, word;
END $$;
--> statement-breakpoint
UPDATE search_documents SET title = title WHERE kind = 'product';
