CREATE TABLE "search_documents" (
	"id" text PRIMARY KEY NOT NULL,
	"kind" text NOT NULL,
	"product_id" uuid,
	"path" text,
	"title" text NOT NULL,
	"place" text DEFAULT '' NOT NULL,
	"body" text NOT NULL,
	"words" "tsvector" GENERATED ALWAYS AS (setweight(to_tsvector('english', title) || to_tsvector('simple', title), 'A')
            || setweight(to_tsvector('english', place) || to_tsvector('simple', place), 'B')
            || setweight(to_tsvector('english', body) || to_tsvector('simple', body), 'D')) STORED NOT NULL,
	CONSTRAINT "search_documents_productId_unique" UNIQUE("product_id"),
	CONSTRAINT "search_documents_kind" CHECK (kind IN ('product', 'page', 'post', 'question', 'policy'))
);
--> statement-breakpoint
CREATE TABLE "search_words" (
	"word" text PRIMARY KEY NOT NULL
);
--> statement-breakpoint
ALTER TABLE "search_documents" ADD CONSTRAINT "search_documents_product_id_products_id_fk" FOREIGN KEY ("product_id") REFERENCES "public"."products"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "search_documents_words" ON "search_documents" USING gin ("words");--> statement-breakpoint
-- Misspelled words are found by pg_trgm, where this PostgreSQL has it and lets us have it. Without it, search goes
-- by full text alone; if it comes later, by CREATE EXTENSION, it is used from then on.
DO $$
BEGIN
  CREATE EXTENSION IF NOT EXISTS pg_trgm;
  CREATE INDEX search_words_alike ON search_words USING gin (word gin_trgm_ops);
EXCEPTION WHEN OTHERS THEN
  RAISE NOTICE 'pg_trgm is not available (%): misspelled words will not be found', SQLERRM;
END $$;
--> statement-breakpoint
-- PL/pgSQL plans a statement when it first runs it, so this stands without pg_trgm too. At 0.15, letters that
-- changed places ('balck') still look alike; lettersApart in words.ts has the last word.
-- Words of a product's name come first.
CREATE FUNCTION search_words_like(typed text) RETURNS SETOF text LANGUAGE plpgsql STABLE
SET pg_trgm.similarity_threshold = 0.15 AS $$
BEGIN
  IF to_regprocedure('similarity(text,text)') IS NULL THEN
    RETURN;
  END IF;
  RETURN QUERY
    WITH alike AS (
      SELECT word, similarity(word, typed) AS nearness FROM search_words WHERE word % typed
      ORDER BY nearness DESC, word LIMIT 20
    )
    SELECT word FROM alike
    ORDER BY EXISTS (
      SELECT FROM search_documents WHERE kind = 'product' AND words @@ to_tsquery('simple', word || ':A')
    ) DESC, nearness DESC, word;
END $$;
--> statement-breakpoint
-- In order, so that two transactions that bring the same new words wait for each other and do not deadlock.
CREATE FUNCTION learn_search_words() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO search_words
    SELECT DISTINCT lexeme
    FROM unnest(to_tsvector('simple', concat_ws(' ', NEW.title, NEW.place, NEW.body)))
    WHERE lexeme ~ '^[a-z]{4,}$'
    ORDER BY lexeme
  ON CONFLICT DO NOTHING;
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE TRIGGER search_words_learned AFTER INSERT OR UPDATE ON search_documents
  FOR EACH ROW EXECUTE FUNCTION learn_search_words();
--> statement-breakpoint
CREATE FUNCTION product_to_search() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO search_documents (id, kind, product_id, title, place, body)
  VALUES (
    'product:' || NEW.id, 'product', NEW.id, NEW.name, concat_ws(' ', NEW.category, NEW.color_variant),
    concat_ws(' ', NEW.short_description, NEW.description,
      (SELECT string_agg(replace(key, '_', ' ') || ': ' || value, ', ') FROM jsonb_each_text(NEW.specs)))
  )
  ON CONFLICT (id) DO UPDATE SET title = excluded.title, place = excluded.place, body = excluded.body;
  RETURN NULL;
END $$;
--> statement-breakpoint
-- Not for stock: an order pays nothing for being found.
CREATE TRIGGER products_searchable
  AFTER INSERT OR UPDATE OF name, short_description, description, category, color_variant, specs ON products
  FOR EACH ROW EXECUTE FUNCTION product_to_search();
--> statement-breakpoint
UPDATE products SET name = name;
