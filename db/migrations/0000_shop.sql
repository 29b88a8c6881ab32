-- Hand-written: names without accents, case, apostrophes and hyphens, for generated columns below. An @ is of no name.
CREATE FUNCTION fold_words(text) RETURNS text LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE RETURN
  btrim(regexp_replace(
    regexp_replace(
      translate(lower(normalize(translate($1, '''’‘ʼʻ`´′＇', ''), NFKD)), 'øđðłıħŧ', 'oddliht'),
      '[\u0300-\u036f\u1ab0-\u1aff\u1dc0-\u1dff\u20d0-\u20ff\ufe20-\ufe2f]+', '', 'g'),
    '[\u0001-\u002f\u003a-\u003f\u005b-\u0060\u007b-\u00bf\u2000-\u206f\u3000]+', ' ', 'g'));
--> statement-breakpoint
CREATE TABLE "accounts" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"user_id" uuid NOT NULL,
	"account_id" text NOT NULL,
	"provider_id" text NOT NULL,
	"access_token" text,
	"refresh_token" text,
	"id_token" text,
	"access_token_expires_at" timestamp with time zone,
	"refresh_token_expires_at" timestamp with time zone,
	"scope" text,
	"password" text,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "accounts_provider_account" UNIQUE("provider_id","account_id"),
	CONSTRAINT "accounts_user_provider" UNIQUE("user_id","provider_id")
);
--> statement-breakpoint
CREATE TABLE "jwks" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"public_key" text NOT NULL,
	"private_key" text NOT NULL,
	"created_at" timestamp with time zone NOT NULL,
	"expires_at" timestamp with time zone,
	"alg" text,
	"crv" text
);
--> statement-breakpoint
CREATE TABLE "profiles" (
	"id" uuid PRIMARY KEY NOT NULL,
	"first_name" text DEFAULT '' NOT NULL,
	"last_name" text DEFAULT '' NOT NULL,
	"phone" text DEFAULT '' NOT NULL
);
--> statement-breakpoint
CREATE TABLE "sessions" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"user_id" uuid NOT NULL,
	"token" text NOT NULL,
	"expires_at" timestamp with time zone NOT NULL,
	"ip_address" text,
	"user_agent" text,
	"aal" text DEFAULT 'aal1' NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "sessions_token_unique" UNIQUE("token")
);
--> statement-breakpoint
CREATE TABLE "two_factors" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"user_id" uuid NOT NULL,
	"secret" text NOT NULL,
	"backup_codes" text NOT NULL,
	"verified" boolean DEFAULT true NOT NULL,
	"failed_verification_count" integer DEFAULT 0,
	"locked_until" timestamp with time zone,
	"last_used_step" bigint,
	CONSTRAINT "two_factors_user" UNIQUE("user_id")
);
--> statement-breakpoint
CREATE TABLE "users" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"email" text NOT NULL,
	"email_verified" boolean DEFAULT false NOT NULL,
	"name" text NOT NULL,
	"name_words" text GENERATED ALWAYS AS (fold_words(name)) STORED,
	"image" text,
	"first_name" text DEFAULT '' NOT NULL,
	"last_name" text DEFAULT '' NOT NULL,
	"two_factor_enabled" boolean DEFAULT false NOT NULL,
	"last_active_at" timestamp with time zone DEFAULT now() NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "users_email_unique" UNIQUE("email")
);
--> statement-breakpoint
CREATE TABLE "verifications" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"identifier" text NOT NULL,
	"value" text NOT NULL,
	"expires_at" timestamp with time zone NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "daily_counts" (
	"day" date NOT NULL,
	"event" text NOT NULL,
	"utm_source" text DEFAULT '' NOT NULL,
	"utm_campaign" text DEFAULT '' NOT NULL,
	"count" bigint NOT NULL,
	CONSTRAINT "daily_counts_day_event_utm_source_utm_campaign_pk" PRIMARY KEY("day","event","utm_source","utm_campaign"),
	CONSTRAINT "daily_counts_event" CHECK ("daily_counts"."event" IN ('visit', 'product-view', 'cart', 'checkout', 'order-refused'))
);
--> statement-breakpoint
CREATE TABLE "daily_orders" (
	"day" date NOT NULL,
	"utm_source" text DEFAULT '' NOT NULL,
	"utm_campaign" text DEFAULT '' NOT NULL,
	"orders" integer NOT NULL,
	"sold" bigint NOT NULL,
	"refunded" bigint NOT NULL,
	"expired" integer NOT NULL,
	CONSTRAINT "daily_orders_day_utm_source_utm_campaign_pk" PRIMARY KEY("day","utm_source","utm_campaign")
);
--> statement-breakpoint
CREATE TABLE "product_sales" (
	"days" integer NOT NULL,
	"product_id" uuid NOT NULL,
	"units" integer NOT NULL,
	"sold" bigint NOT NULL,
	CONSTRAINT "product_sales_days_product_id_pk" PRIMARY KEY("days","product_id")
);
--> statement-breakpoint
CREATE TABLE "audit_log" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "audit_log_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"at" timestamp with time zone DEFAULT now() NOT NULL,
	"staff_id" uuid,
	"role" text,
	"action" text NOT NULL,
	"subject" text,
	"before" jsonb,
	"after" jsonb,
	"address" text,
	"request_id" text
);
--> statement-breakpoint
CREATE TABLE "cart_items" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"product_id" uuid NOT NULL,
	"quantity" integer NOT NULL,
	"user_id" uuid,
	"session_id" uuid,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "cart_items_session_product" UNIQUE("session_id","product_id"),
	CONSTRAINT "cart_items_user_product" UNIQUE("user_id","product_id"),
	CONSTRAINT "cart_items_quantity" CHECK ("cart_items"."quantity" BETWEEN 1 AND 10),
	CONSTRAINT "cart_items_one_owner" CHECK (num_nonnulls("cart_items"."user_id", "cart_items"."session_id") = 1)
);
--> statement-breakpoint
CREATE TABLE "colors" (
	"name" text PRIMARY KEY NOT NULL,
	"hex" text NOT NULL,
	"position" integer GENERATED ALWAYS AS IDENTITY (sequence name "colors_position_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	CONSTRAINT "colors_hex" CHECK ("colors"."hex" ~ '^#[0-9a-f]{6}$')
);
--> statement-breakpoint
CREATE TABLE "products" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"name" text NOT NULL,
	"model" text GENERATED ALWAYS AS (btrim(replace(name, coalesce(color_variant, ''), ''))) STORED NOT NULL,
	"slug" text NOT NULL,
	"short_description" text NOT NULL,
	"description" text NOT NULL,
	"price" integer NOT NULL,
	"compare_at_price" integer,
	"early_bird_price" integer,
	"early_bird_end_date" timestamp with time zone,
	"thumbnail" text,
	"images" text[] DEFAULT '{}' NOT NULL,
	"specs" jsonb DEFAULT '{}'::jsonb NOT NULL,
	"color_variant" text,
	"category" text NOT NULL,
	"is_available" boolean DEFAULT true NOT NULL,
	"waitlist_only_until" timestamp with time zone,
	"featured" boolean DEFAULT false NOT NULL,
	"tax_code" text DEFAULT 'txcd_99999999' NOT NULL,
	"ships_from" date,
	"retired_at" timestamp with time zone,
	"version" integer DEFAULT 1 NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "products_slug_unique" UNIQUE("slug"),
	CONSTRAINT "products_price_not_negative" CHECK ("products"."price" >= 0),
	CONSTRAINT "products_compare_at_price_not_negative" CHECK ("products"."compare_at_price" >= 0),
	CONSTRAINT "products_early_bird_price_not_negative" CHECK ("products"."early_bird_price" >= 0),
	CONSTRAINT "products_category" CHECK ("products"."category" IN ('Classic', 'Pro', 'Accessories')),
	CONSTRAINT "products_retired_not_available" CHECK ("products"."retired_at" IS NULL OR NOT "products"."is_available")
);
--> statement-breakpoint
CREATE TABLE "order_units" (
	"order_id" uuid NOT NULL,
	"number" smallint NOT NULL,
	"order_item_id" uuid NOT NULL,
	"price" integer NOT NULL,
	"tax" integer DEFAULT 0 NOT NULL,
	"canceled_at" timestamp with time zone,
	"canceled_by" text,
	"cancel_reason" text,
	CONSTRAINT "order_units_order_id_number_pk" PRIMARY KEY("order_id","number"),
	CONSTRAINT "order_units_amounts" CHECK (least("order_units"."price", "order_units"."tax") >= 0),
	CONSTRAINT "order_units_canceled_by" CHECK ("order_units"."canceled_by" IN ('customer', 'guest', 'staff', 'provider', 'carrier', 'system')),
	CONSTRAINT "order_units_canceled" CHECK (("order_units"."canceled_at" IS NULL) = ("order_units"."canceled_by" IS NULL))
);
--> statement-breakpoint
CREATE TABLE "shipment_units" (
	"shipment_id" uuid NOT NULL,
	"order_id" uuid NOT NULL,
	"unit" smallint NOT NULL,
	"released_at" timestamp with time zone,
	CONSTRAINT "shipment_units_shipment_id_unit_pk" PRIMARY KEY("shipment_id","unit")
);
--> statement-breakpoint
CREATE TABLE "shipments" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"order_id" uuid NOT NULL,
	"carrier" text NOT NULL,
	"tracking_number" text NOT NULL,
	"state" text NOT NULL,
	"capture_id" uuid,
	"staff_id" uuid,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"shipped_at" timestamp with time zone,
	"delivered_at" timestamp with time zone,
	CONSTRAINT "shipments_carrier" CHECK ("shipments"."carrier" IN ('ups', 'usps', 'fedex', 'dhl')),
	CONSTRAINT "shipments_state" CHECK ("shipments"."state" IN ('packing', 'failed', 'shipped', 'delivered', 'refused', 'lost'))
);
--> statement-breakpoint
CREATE TABLE "stock" (
	"product_id" uuid PRIMARY KEY NOT NULL,
	"inventory_count" integer DEFAULT 0 NOT NULL,
	CONSTRAINT "stock_not_negative" CHECK ("stock"."inventory_count" >= 0)
);
--> statement-breakpoint
CREATE TABLE "stock_moves" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "stock_moves_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"product_id" uuid NOT NULL,
	"delta" integer NOT NULL,
	"reason" text NOT NULL,
	"note" text,
	"staff_id" uuid,
	"form_key" uuid,
	"at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "stock_moves_formKey_unique" UNIQUE("form_key"),
	CONSTRAINT "stock_moves_reason" CHECK ("stock_moves"."reason" IN ('received', 'counted', 'damaged', 'returned', 'correction'))
);
--> statement-breakpoint
CREATE TABLE "mailbox_messages" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"job_id" uuid NOT NULL,
	"to" text NOT NULL,
	"subject" text NOT NULL,
	"text" text NOT NULL,
	"html" text NOT NULL,
	"links" text[] NOT NULL,
	"mail_id" text NOT NULL,
	"headers" jsonb NOT NULL,
	"sent_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "mailbox_messages_jobId_unique" UNIQUE("job_id")
);
--> statement-breakpoint
CREATE TABLE "order_events" (
	"order_id" uuid NOT NULL,
	"id" bigint GENERATED ALWAYS AS IDENTITY (sequence name "order_events_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"type" text NOT NULL,
	"from_status" text,
	"to_status" text NOT NULL,
	"actor" text NOT NULL,
	"staff_id" uuid,
	"data" jsonb,
	"at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "order_events_order_id_id_pk" PRIMARY KEY("order_id","id"),
	CONSTRAINT "order_events_type" CHECK ("order_events"."type" IN ('placed', 'held', 'authorized', 'card-saved', 'expired', 'authorized-late', 'card-saved-late', 'canceled', 'declined', 'shipped', 'shipment-undone', 'delivered', 'payment-requested', 'payment-recorded', 'payment-authorized', 'card-changed', 'payment-failed', 'capture-failed', 'charge-refused', 'charge-announced', 'line-canceled', 'delayed', 'delay-accepted', 'parcel-shipped', 'parcel-undone', 'tracking-corrected', 'hold-extended', 'refunded', 'refund-failed', 'payment-voided', 'payment-mismatch', 'disputed', 'dispute-closed')),
	CONSTRAINT "order_events_actor" CHECK ("order_events"."actor" IN ('customer', 'guest', 'staff', 'provider', 'system'))
);
--> statement-breakpoint
CREATE TABLE "order_items" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"order_id" uuid NOT NULL,
	"product_id" uuid NOT NULL,
	"name" text NOT NULL,
	"price" integer NOT NULL,
	"quantity" integer NOT NULL,
	"position" smallint DEFAULT 0 NOT NULL,
	"tax" integer DEFAULT 0 NOT NULL,
	"ships_from" date,
	"warranty_years" integer,
	"charge_announced_for" date,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "order_items_quantity" CHECK ("order_items"."quantity" BETWEEN 1 AND 10),
	CONSTRAINT "order_items_tax" CHECK ("order_items"."tax" >= 0)
);
--> statement-breakpoint
CREATE TABLE "order_notes" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"order_id" uuid NOT NULL,
	"kind" text NOT NULL,
	"text" text NOT NULL,
	"staff_id" uuid,
	"at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "order_notes_kind" CHECK ("order_notes"."kind" IN ('note', 'hold', 'unhold', 'address', 'email', 'refund'))
);
--> statement-breakpoint
CREATE TABLE "orders" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"checkout_key" uuid NOT NULL,
	"user_id" uuid,
	"session_id" uuid,
	"stage" text DEFAULT 'to-ship' NOT NULL,
	"status" text GENERATED ALWAYS AS (CASE stage WHEN 'to-ship' THEN 'processing' WHEN 'partly-shipped' THEN 'shipped' ELSE stage END) STORED NOT NULL,
	"subtotal" integer NOT NULL,
	"shipping" integer NOT NULL,
	"tax" integer NOT NULL,
	"shipping_tax" integer DEFAULT 0 NOT NULL,
	"tax_reference" text,
	"total" integer NOT NULL,
	"email" text NOT NULL,
	"phone" text NOT NULL,
	"shipping_first_name" text NOT NULL,
	"shipping_last_name" text NOT NULL,
	"name_words" text GENERATED ALWAYS AS (fold_words(shipping_first_name || ' ' || shipping_last_name)) STORED,
	"shipping_address_line1" text NOT NULL,
	"shipping_address_line2" text,
	"shipping_city" text NOT NULL,
	"shipping_state" text NOT NULL,
	"shipping_postal_code" text NOT NULL,
	"shipping_country" text DEFAULT 'US' NOT NULL,
	"shipping_method" text NOT NULL,
	"save_information" boolean DEFAULT false NOT NULL,
	"billing_address_same_as_shipping" boolean DEFAULT true NOT NULL,
	"utm_source" text,
	"utm_campaign" text,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"hold_until" timestamp with time zone,
	"accepted_at" timestamp with time zone,
	"delivered_at" timestamp with time zone,
	"ship_by" date,
	"answer_by" date,
	"terms_version" date NOT NULL,
	"link_version" integer DEFAULT 1 NOT NULL,
	"payment_status" text DEFAULT 'none' NOT NULL,
	"on_hold_since" timestamp with time zone,
	CONSTRAINT "orders_checkoutKey_unique" UNIQUE("checkout_key"),
	CONSTRAINT "orders_payment_status" CHECK ("orders"."payment_status" IN ('none', 'unpaid', 'card-saved', 'authorized', 'partly-charged', 'captured', 'partly-refunded', 'refunded', 'failed', 'refund-failed', 'mismatch', 'disputed')),
	CONSTRAINT "orders_stage" CHECK ("orders"."stage" IN ('unpaid', 'to-ship', 'partly-shipped', 'shipped', 'delivered', 'canceled', 'declined', 'expired')),
	CONSTRAINT "orders_hold" CHECK ("orders"."stage" <> 'unpaid' OR "orders"."hold_until" IS NOT NULL),
	CONSTRAINT "orders_one_owner" CHECK (num_nonnulls("orders"."user_id", "orders"."session_id") <= 1),
	CONSTRAINT "orders_total" CHECK ("orders"."total" = "orders"."subtotal" + "orders"."shipping" + "orders"."tax"),
	CONSTRAINT "orders_amounts" CHECK (least("orders"."subtotal", "orders"."shipping", "orders"."tax") >= 0),
	CONSTRAINT "orders_shipping_tax" CHECK ("orders"."shipping_tax" BETWEEN 0 AND "orders"."tax")
);
--> statement-breakpoint
CREATE TABLE "payment_actions" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"payment_id" uuid NOT NULL,
	"kind" text NOT NULL,
	"amount" integer NOT NULL,
	"state" text DEFAULT 'asked' NOT NULL,
	"attempt" integer DEFAULT 1 NOT NULL,
	"sent_at" timestamp with time zone,
	"provider_reference" text,
	"reason" text,
	"asked_by" text NOT NULL,
	"staff_id" uuid,
	"problem" text,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"done_at" timestamp with time zone,
	"resolved_at" timestamp with time zone,
	"units" jsonb,
	CONSTRAINT "payment_actions_kind" CHECK ("payment_actions"."kind" IN ('capture', 'charge', 'void', 'refund')),
	CONSTRAINT "payment_actions_state" CHECK ("payment_actions"."state" IN ('asked', 'sent', 'done', 'failed')),
	CONSTRAINT "payment_actions_amount" CHECK ("payment_actions"."amount" >= 0)
);
--> statement-breakpoint
CREATE TABLE "payment_inbox" (
	"provider" text NOT NULL,
	"event_id" text NOT NULL,
	"type" text NOT NULL,
	"reference" text NOT NULL,
	"received_at" timestamp with time zone DEFAULT now() NOT NULL,
	"handled_at" timestamp with time zone,
	CONSTRAINT "payment_inbox_provider_event_id_pk" PRIMARY KEY("provider","event_id")
);
--> statement-breakpoint
CREATE TABLE "payments" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"order_id" uuid NOT NULL,
	"kind" text DEFAULT 'page' NOT NULL,
	"provider" text NOT NULL,
	"reference" text,
	"intent_reference" text,
	"state" text DEFAULT 'opening' NOT NULL,
	"amount" integer NOT NULL,
	"authorized" integer DEFAULT 0 NOT NULL,
	"captured" integer DEFAULT 0 NOT NULL,
	"refunded" integer DEFAULT 0 NOT NULL,
	"capture_before" timestamp with time zone,
	"url" text,
	"expires_at" timestamp with time zone,
	"method" jsonb,
	"arrangement" jsonb,
	"saved_customer" text,
	"saved_method" text,
	"saved_payment_id" uuid,
	"refused_at" timestamp with time zone,
	"reminded_at" timestamp with time zone,
	"problem" text,
	"disputed_until" timestamp with time zone,
	"read_at" timestamp with time zone,
	"hold_limits" jsonb,
	"warned_at" timestamp with time zone,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "payments_reference" UNIQUE("provider","reference"),
	CONSTRAINT "payments_kind" CHECK ("payments"."kind" IN ('page', 'setup', 'charge')),
	CONSTRAINT "payments_saved" CHECK (("payments"."saved_customer" IS NULL) = ("payments"."saved_method" IS NULL)),
	CONSTRAINT "payments_state" CHECK ("payments"."state" IN ('opening', 'open', 'saved', 'authorized', 'captured', 'failed', 'closed', 'mismatch', 'forgotten')),
	CONSTRAINT "payments_amounts" CHECK (0 <= "payments"."refunded" AND "payments"."refunded" <= "payments"."captured" AND "payments"."captured" <= "payments"."amount"),
	CONSTRAINT "payments_arrangement" CHECK (("payments"."provider" = 'manual') = ("payments"."arrangement" IS NOT NULL))
);
--> statement-breakpoint
CREATE TABLE "privacy_requests" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"kind" text NOT NULL,
	"law" text NOT NULL,
	"channel" text NOT NULL,
	"email" text,
	"email_hash" text NOT NULL,
	"proof" text,
	"state" text DEFAULT 'open' NOT NULL,
	"received_at" timestamp with time zone NOT NULL,
	"due_at" timestamp with time zone NOT NULL,
	"extended_at" timestamp with time zone,
	"extension_reason" text,
	"closed_at" timestamp with time zone,
	"staff_id" uuid,
	"registered_by" uuid,
	"note" text,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "privacy_requests_kind" CHECK ("privacy_requests"."kind" IN ('data', 'deletion')),
	CONSTRAINT "privacy_requests_law" CHECK ("privacy_requests"."law" IN ('gdpr', 'ccpa')),
	CONSTRAINT "privacy_requests_channel" CHECK ("privacy_requests"."channel" IN ('email', 'form', 'phone', 'letter', 'agent')),
	CONSTRAINT "privacy_requests_proof" CHECK ("privacy_requests"."proof" IN ('wrote', 'answered', 'document')),
	CONSTRAINT "privacy_requests_state" CHECK ("privacy_requests"."state" IN ('open', 'done', 'refused')),
	CONSTRAINT "privacy_requests_closed" CHECK (("privacy_requests"."state" = 'open') = ("privacy_requests"."closed_at" IS NULL))
);
--> statement-breakpoint
CREATE TABLE "rate_limits" (
	"key" text PRIMARY KEY NOT NULL,
	"points" integer NOT NULL,
	"expires_at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
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
	"word" text PRIMARY KEY NOT NULL,
	"in_product_name" boolean DEFAULT false NOT NULL
);
--> statement-breakpoint
CREATE TABLE "staff" (
	"user_id" uuid PRIMARY KEY NOT NULL,
	"role" text NOT NULL,
	"factor_id" uuid,
	"invited_by" uuid,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"disabled_at" timestamp with time zone,
	"wrong_codes" integer DEFAULT 0 NOT NULL,
	CONSTRAINT "staff_role" CHECK ("staff"."role" IN ('owner', 'manager', 'support', 'packer'))
);
--> statement-breakpoint
CREATE TABLE "staff_invitations" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"email" text,
	"role" text NOT NULL,
	"token_hash" text NOT NULL,
	"invited_by" uuid,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"expires_at" timestamp with time zone NOT NULL,
	"accepted_at" timestamp with time zone,
	CONSTRAINT "staff_invitations_tokenHash_unique" UNIQUE("token_hash"),
	CONSTRAINT "staff_invitations_role" CHECK ("staff_invitations"."role" IN ('owner', 'manager', 'support', 'packer'))
);
--> statement-breakpoint
CREATE TABLE "staff_sessions" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"user_id" uuid NOT NULL,
	"token_hash" text NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"last_seen_at" timestamp with time zone DEFAULT now() NOT NULL,
	"proved_at" timestamp with time zone DEFAULT now() NOT NULL,
	"ended_at" timestamp with time zone,
	"end_reason" text,
	"ip_address" text,
	"user_agent" text,
	CONSTRAINT "staff_sessions_tokenHash_unique" UNIQUE("token_hash"),
	CONSTRAINT "staff_sessions_end" CHECK (("staff_sessions"."ended_at" IS NULL) = ("staff_sessions"."end_reason" IS NULL)),
	CONSTRAINT "staff_sessions_end_reason" CHECK ("staff_sessions"."end_reason" IN ('self', 'owner', 'reset', 'password', 'replaced'))
);
--> statement-breakpoint
CREATE TABLE "contact_messages" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"name" text NOT NULL,
	"email" text NOT NULL,
	"message" text NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"status" text DEFAULT 'open' NOT NULL,
	"assigned_to" uuid,
	"status_by" uuid,
	"order_id" uuid,
	"words" "tsvector" GENERATED ALWAYS AS (to_tsvector('simple', fold_words("name") || ' ' || "name" || ' ' || "email" || ' ' || "message")) STORED,
	CONSTRAINT "contact_messages_status" CHECK ("contact_messages"."status" IN ('open', 'closed'))
);
--> statement-breakpoint
CREATE TABLE "contact_replies" (
	"id" uuid PRIMARY KEY NOT NULL,
	"message_id" uuid NOT NULL,
	"staff_id" uuid,
	"body" text NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"sent_at" timestamp with time zone,
	"mail_id" text
);
--> statement-breakpoint
CREATE TABLE "saved_replies" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"title" text NOT NULL,
	"body" text NOT NULL,
	"updated_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "saved_replies_title_unique" UNIQUE("title")
);
--> statement-breakpoint
CREATE TABLE "daily_sales_by_state" (
	"day" date NOT NULL,
	"state" text NOT NULL,
	"orders" integer NOT NULL,
	"sales" bigint NOT NULL,
	"recorded" bigint NOT NULL,
	"tax" bigint NOT NULL,
	CONSTRAINT "daily_sales_by_state_day_state_pk" PRIMARY KEY("day","state")
);
--> statement-breakpoint
CREATE TABLE "tax_records" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"order_id" uuid NOT NULL,
	"kind" text NOT NULL,
	"charge_id" uuid NOT NULL,
	"refund_id" uuid,
	"parts" jsonb NOT NULL,
	"amount" integer NOT NULL,
	"tax" integer NOT NULL,
	"state" text DEFAULT 'asked' NOT NULL,
	"attempt" integer DEFAULT 1 NOT NULL,
	"quote" text,
	"provider_reference" text,
	"problem" text,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"done_at" timestamp with time zone,
	CONSTRAINT "tax_records_once" UNIQUE NULLS NOT DISTINCT("charge_id","refund_id"),
	CONSTRAINT "tax_records_kind" CHECK ("tax_records"."kind" = CASE WHEN "tax_records"."refund_id" IS NULL THEN 'record' ELSE 'reverse' END),
	CONSTRAINT "tax_records_state" CHECK ("tax_records"."state" IN ('asked', 'sent', 'done', 'failed')),
	CONSTRAINT "tax_records_amounts" CHECK (least("tax_records"."amount", "tax_records"."tax") >= 0)
);
--> statement-breakpoint
CREATE TABLE "waitlist" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"user_id" uuid NOT NULL,
	"email" text NOT NULL,
	"phone" text,
	"utm_source" text,
	"utm_campaign" text,
	"verified_at" timestamp with time zone,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"unsubscribed_at" timestamp with time zone,
	"batch" integer,
	"code_hash" text,
	"invited_at" timestamp with time zone,
	"sent_at" timestamp with time zone,
	"order_id" uuid,
	CONSTRAINT "waitlist_userId_unique" UNIQUE("user_id"),
	CONSTRAINT "waitlist_email_unique" UNIQUE("email"),
	CONSTRAINT "waitlist_codeHash_unique" UNIQUE("code_hash")
);
--> statement-breakpoint
CREATE TABLE "wishlists" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"user_id" uuid NOT NULL,
	"product_id" uuid NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "wishlists_user_product" UNIQUE("user_id","product_id")
);
--> statement-breakpoint
ALTER TABLE "accounts" ADD CONSTRAINT "accounts_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "profiles" ADD CONSTRAINT "profiles_id_users_id_fk" FOREIGN KEY ("id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "sessions" ADD CONSTRAINT "sessions_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "two_factors" ADD CONSTRAINT "two_factors_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "cart_items" ADD CONSTRAINT "cart_items_product_id_products_id_fk" FOREIGN KEY ("product_id") REFERENCES "public"."products"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "cart_items" ADD CONSTRAINT "cart_items_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "products" ADD CONSTRAINT "products_color_variant_colors_name_fk" FOREIGN KEY ("color_variant") REFERENCES "public"."colors"("name") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "shipment_units" ADD CONSTRAINT "shipment_units_shipment_id_shipments_id_fk" FOREIGN KEY ("shipment_id") REFERENCES "public"."shipments"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "order_units" ADD CONSTRAINT "order_units_order_id_orders_id_fk" FOREIGN KEY ("order_id") REFERENCES "public"."orders"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "shipments" ADD CONSTRAINT "shipments_order_id_orders_id_fk" FOREIGN KEY ("order_id") REFERENCES "public"."orders"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "shipments" ADD CONSTRAINT "shipments_capture_id_payment_actions_id_fk" FOREIGN KEY ("capture_id") REFERENCES "public"."payment_actions"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "stock" ADD CONSTRAINT "stock_product_id_products_id_fk" FOREIGN KEY ("product_id") REFERENCES "public"."products"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "stock_moves" ADD CONSTRAINT "stock_moves_product_id_products_id_fk" FOREIGN KEY ("product_id") REFERENCES "public"."products"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "order_events" ADD CONSTRAINT "order_events_order_id_orders_id_fk" FOREIGN KEY ("order_id") REFERENCES "public"."orders"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "order_items" ADD CONSTRAINT "order_items_order_id_orders_id_fk" FOREIGN KEY ("order_id") REFERENCES "public"."orders"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "order_notes" ADD CONSTRAINT "order_notes_order_id_orders_id_fk" FOREIGN KEY ("order_id") REFERENCES "public"."orders"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "orders" ADD CONSTRAINT "orders_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "payment_actions" ADD CONSTRAINT "payment_actions_payment_id_payments_id_fk" FOREIGN KEY ("payment_id") REFERENCES "public"."payments"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "payments" ADD CONSTRAINT "payments_order_id_orders_id_fk" FOREIGN KEY ("order_id") REFERENCES "public"."orders"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "privacy_requests" ADD CONSTRAINT "privacy_requests_staff_id_staff_user_id_fk" FOREIGN KEY ("staff_id") REFERENCES "public"."staff"("user_id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "privacy_requests" ADD CONSTRAINT "privacy_requests_registered_by_staff_user_id_fk" FOREIGN KEY ("registered_by") REFERENCES "public"."staff"("user_id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "search_documents" ADD CONSTRAINT "search_documents_product_id_products_id_fk" FOREIGN KEY ("product_id") REFERENCES "public"."products"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "staff" ADD CONSTRAINT "staff_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "staff_sessions" ADD CONSTRAINT "staff_sessions_user_id_staff_user_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."staff"("user_id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "contact_messages" ADD CONSTRAINT "contact_messages_assigned_to_staff_user_id_fk" FOREIGN KEY ("assigned_to") REFERENCES "public"."staff"("user_id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "contact_messages" ADD CONSTRAINT "contact_messages_status_by_staff_user_id_fk" FOREIGN KEY ("status_by") REFERENCES "public"."staff"("user_id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "contact_messages" ADD CONSTRAINT "contact_messages_order_id_orders_id_fk" FOREIGN KEY ("order_id") REFERENCES "public"."orders"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "contact_replies" ADD CONSTRAINT "contact_replies_message_id_contact_messages_id_fk" FOREIGN KEY ("message_id") REFERENCES "public"."contact_messages"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "contact_replies" ADD CONSTRAINT "contact_replies_staff_id_staff_user_id_fk" FOREIGN KEY ("staff_id") REFERENCES "public"."staff"("user_id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "tax_records" ADD CONSTRAINT "tax_records_order_id_orders_id_fk" FOREIGN KEY ("order_id") REFERENCES "public"."orders"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "waitlist" ADD CONSTRAINT "waitlist_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "wishlists" ADD CONSTRAINT "wishlists_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "wishlists" ADD CONSTRAINT "wishlists_product_id_products_id_fk" FOREIGN KEY ("product_id") REFERENCES "public"."products"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "sessions_user" ON "sessions" USING btree ("user_id");--> statement-breakpoint
CREATE INDEX "users_newest" ON "users" USING btree ("created_at" DESC NULLS FIRST,"id" DESC NULLS FIRST);--> statement-breakpoint
CREATE INDEX "users_email_begins" ON "users" USING btree (lower("email") text_pattern_ops);--> statement-breakpoint
CREATE INDEX "users_name_1" ON "users" USING btree (name_words text_pattern_ops,"created_at" DESC NULLS FIRST) WHERE name_words IS NOT NULL;--> statement-breakpoint
CREATE INDEX "users_name_2" ON "users" USING btree (nullif(substr(name_words, length(split_part(name_words, ' ', 1)) + 2), '') text_pattern_ops,"created_at" DESC NULLS FIRST) WHERE nullif(substr(name_words, length(split_part(name_words, ' ', 1)) + 2), '') IS NOT NULL;--> statement-breakpoint
CREATE INDEX "users_name_3" ON "users" USING btree (nullif(substr(name_words, length(split_part(name_words, ' ', 1)) + length(split_part(name_words, ' ', 2)) + 3), '') text_pattern_ops,"created_at" DESC NULLS FIRST) WHERE nullif(substr(name_words, length(split_part(name_words, ' ', 1)) + length(split_part(name_words, ' ', 2)) + 3), '') IS NOT NULL;--> statement-breakpoint
CREATE INDEX "users_name_4" ON "users" USING btree (nullif(substr(name_words, length(split_part(name_words, ' ', 1)) + length(split_part(name_words, ' ', 2)) + length(split_part(name_words, ' ', 3)) + 4), '') text_pattern_ops,"created_at" DESC NULLS FIRST) WHERE nullif(substr(name_words, length(split_part(name_words, ' ', 1)) + length(split_part(name_words, ' ', 2)) + length(split_part(name_words, ' ', 3)) + 4), '') IS NOT NULL;--> statement-breakpoint
CREATE INDEX "users_name_5" ON "users" USING btree (nullif(substr(name_words, length(split_part(name_words, ' ', 1)) + length(split_part(name_words, ' ', 2)) + length(split_part(name_words, ' ', 3)) + length(split_part(name_words, ' ', 4)) + 5), '') text_pattern_ops,"created_at" DESC NULLS FIRST) WHERE nullif(substr(name_words, length(split_part(name_words, ' ', 1)) + length(split_part(name_words, ' ', 2)) + length(split_part(name_words, ' ', 3)) + length(split_part(name_words, ' ', 4)) + 5), '') IS NOT NULL;--> statement-breakpoint
CREATE INDEX "verifications_identifier" ON "verifications" USING btree ("identifier");--> statement-breakpoint
CREATE INDEX "product_sales_most" ON "product_sales" USING btree ("days","units" DESC NULLS FIRST);--> statement-breakpoint
CREATE INDEX "audit_log_staff" ON "audit_log" USING btree ("staff_id","id" DESC NULLS LAST);--> statement-breakpoint
CREATE INDEX "audit_log_subject" ON "audit_log" USING btree ("subject","id" DESC NULLS LAST);--> statement-breakpoint
CREATE INDEX "audit_log_kind" ON "audit_log" USING btree (split_part("action", '.', 1),"id");--> statement-breakpoint
CREATE INDEX "cart_items_product" ON "cart_items" USING btree ("product_id");--> statement-breakpoint
CREATE UNIQUE INDEX "colors_name_in_any_case" ON "colors" USING btree (lower("name"));--> statement-breakpoint
CREATE INDEX "products_featured_newest" ON "products" USING btree ("featured" DESC NULLS FIRST,"created_at" DESC NULLS FIRST,"name","id");--> statement-breakpoint
CREATE INDEX "products_newest" ON "products" USING btree ("created_at" DESC NULLS FIRST,"name","id");--> statement-breakpoint
CREATE INDEX "products_category_featured" ON "products" USING btree ("category","featured" DESC NULLS FIRST,"created_at" DESC NULLS FIRST,"name","id");--> statement-breakpoint
CREATE INDEX "products_model" ON "products" USING btree ("category","model");--> statement-breakpoint
CREATE INDEX "products_name" ON "products" USING btree (lower("name"),"slug");--> statement-breakpoint
CREATE INDEX "products_waitlist_only" ON "products" USING btree ("waitlist_only_until") WHERE "products"."waitlist_only_until" IS NOT NULL;--> statement-breakpoint
CREATE UNIQUE INDEX "shipment_units_one_parcel" ON "shipment_units" USING btree ("order_id","unit") WHERE "shipment_units"."released_at" IS NULL;--> statement-breakpoint
CREATE INDEX "order_units_canceled_of_line" ON "order_units" USING btree ("order_item_id") WHERE "order_units"."canceled_at" IS NOT NULL;--> statement-breakpoint
CREATE INDEX "shipments_order" ON "shipments" USING btree ("order_id");--> statement-breakpoint
CREATE UNIQUE INDEX "shipments_one_capturing" ON "shipments" USING btree ("order_id") WHERE "shipments"."state" = 'packing';--> statement-breakpoint
CREATE INDEX "stock_moves_product" ON "stock_moves" USING btree ("product_id","id" DESC NULLS LAST);--> statement-breakpoint
CREATE INDEX "mailbox_messages_newest" ON "mailbox_messages" USING btree ("sent_at" DESC NULLS LAST);--> statement-breakpoint
CREATE INDEX "order_items_order" ON "order_items" USING btree ("order_id");--> statement-breakpoint
CREATE INDEX "order_items_product" ON "order_items" USING btree ("product_id","created_at" DESC NULLS FIRST,"order_id" DESC NULLS FIRST);--> statement-breakpoint
CREATE INDEX "order_notes_order" ON "order_notes" USING btree ("order_id","at");--> statement-breakpoint
CREATE INDEX "orders_user_newest" ON "orders" USING btree ("user_id","created_at" DESC NULLS FIRST,"id" DESC NULLS FIRST) WHERE "orders"."user_id" IS NOT NULL;--> statement-breakpoint
CREATE INDEX "orders_email" ON "orders" USING btree (lower("email") text_pattern_ops);--> statement-breakpoint
CREATE INDEX "orders_guest_email" ON "orders" USING btree (lower("email") text_pattern_ops) WHERE "orders"."user_id" IS NULL;--> statement-breakpoint
CREATE INDEX "orders_name_1" ON "orders" USING btree (name_words text_pattern_ops,"created_at" DESC NULLS FIRST) WHERE name_words IS NOT NULL;--> statement-breakpoint
CREATE INDEX "orders_name_2" ON "orders" USING btree (nullif(substr(name_words, length(split_part(name_words, ' ', 1)) + 2), '') text_pattern_ops,"created_at" DESC NULLS FIRST) WHERE nullif(substr(name_words, length(split_part(name_words, ' ', 1)) + 2), '') IS NOT NULL;--> statement-breakpoint
CREATE INDEX "orders_name_3" ON "orders" USING btree (nullif(substr(name_words, length(split_part(name_words, ' ', 1)) + length(split_part(name_words, ' ', 2)) + 3), '') text_pattern_ops,"created_at" DESC NULLS FIRST) WHERE nullif(substr(name_words, length(split_part(name_words, ' ', 1)) + length(split_part(name_words, ' ', 2)) + 3), '') IS NOT NULL;--> statement-breakpoint
CREATE INDEX "orders_name_4" ON "orders" USING btree (nullif(substr(name_words, length(split_part(name_words, ' ', 1)) + length(split_part(name_words, ' ', 2)) + length(split_part(name_words, ' ', 3)) + 4), '') text_pattern_ops,"created_at" DESC NULLS FIRST) WHERE nullif(substr(name_words, length(split_part(name_words, ' ', 1)) + length(split_part(name_words, ' ', 2)) + length(split_part(name_words, ' ', 3)) + 4), '') IS NOT NULL;--> statement-breakpoint
CREATE INDEX "orders_name_5" ON "orders" USING btree (nullif(substr(name_words, length(split_part(name_words, ' ', 1)) + length(split_part(name_words, ' ', 2)) + length(split_part(name_words, ' ', 3)) + length(split_part(name_words, ' ', 4)) + 5), '') text_pattern_ops,"created_at" DESC NULLS FIRST) WHERE nullif(substr(name_words, length(split_part(name_words, ' ', 1)) + length(split_part(name_words, ' ', 2)) + length(split_part(name_words, ' ', 3)) + length(split_part(name_words, ' ', 4)) + 5), '') IS NOT NULL;--> statement-breakpoint
CREATE INDEX "orders_newest" ON "orders" USING btree ("created_at" DESC NULLS FIRST,"id" DESC NULLS FIRST);--> statement-breakpoint
CREATE INDEX "orders_status" ON "orders" USING btree ("status","created_at" DESC NULLS FIRST,"id" DESC NULLS FIRST);--> statement-breakpoint
CREATE INDEX "orders_payment_status" ON "orders" USING btree ("payment_status","created_at" DESC NULLS FIRST,"id" DESC NULLS FIRST);--> statement-breakpoint
CREATE INDEX "orders_on_hold" ON "orders" USING btree ("on_hold_since") WHERE "orders"."on_hold_since" IS NOT NULL;--> statement-breakpoint
CREATE INDEX "orders_partly_shipped" ON "orders" USING btree ("created_at") WHERE "orders"."stage" = 'partly-shipped';--> statement-breakpoint
CREATE INDEX "orders_ship_by" ON "orders" USING btree (coalesce("ship_by", '-infinity'::date),"created_at","id") WHERE "orders"."stage" IN ('to-ship', 'partly-shipped');--> statement-breakpoint
CREATE INDEX "orders_answer_by" ON "orders" USING btree ("answer_by") WHERE "orders"."answer_by" IS NOT NULL;--> statement-breakpoint
CREATE INDEX "orders_session_newest" ON "orders" USING btree ("session_id","created_at" DESC NULLS FIRST) WHERE "orders"."session_id" IS NOT NULL;--> statement-breakpoint
CREATE INDEX "orders_unpaid" ON "orders" USING btree ("hold_until") WHERE "orders"."stage" = 'unpaid';--> statement-breakpoint
CREATE UNIQUE INDEX "payment_actions_one_capture" ON "payment_actions" USING btree ("payment_id") WHERE "payment_actions"."kind" = 'capture' AND "payment_actions"."state" <> 'failed';--> statement-breakpoint
CREATE UNIQUE INDEX "payment_actions_one_charge" ON "payment_actions" USING btree ("payment_id") WHERE "payment_actions"."kind" = 'charge';--> statement-breakpoint
CREATE UNIQUE INDEX "payment_actions_one_void" ON "payment_actions" USING btree ("payment_id") WHERE "payment_actions"."kind" = 'void' AND "payment_actions"."state" IN ('asked', 'sent');--> statement-breakpoint
CREATE INDEX "payment_actions_payment" ON "payment_actions" USING btree ("payment_id");--> statement-breakpoint
CREATE UNIQUE INDEX "payment_actions_reference" ON "payment_actions" USING btree ("provider_reference");--> statement-breakpoint
CREATE INDEX "payment_actions_moved" ON "payment_actions" USING btree ("done_at","id") WHERE "payment_actions"."kind" <> 'void' AND "payment_actions"."state" = 'done';--> statement-breakpoint
CREATE INDEX "payment_actions_underway" ON "payment_actions" USING btree ("created_at") WHERE "payment_actions"."state" IN ('asked', 'sent');--> statement-breakpoint
CREATE INDEX "payment_inbox_unhandled" ON "payment_inbox" USING btree ("received_at") WHERE "payment_inbox"."handled_at" IS NULL;--> statement-breakpoint
CREATE UNIQUE INDEX "payments_one_open" ON "payments" USING btree ("order_id") WHERE "payments"."state" IN ('opening', 'open') AND "payments"."kind" <> 'charge';--> statement-breakpoint
CREATE INDEX "payments_saved_card" ON "payments" USING btree ("order_id") WHERE "payments"."saved_customer" IS NOT NULL;--> statement-breakpoint
CREATE INDEX "payments_order" ON "payments" USING btree ("order_id");--> statement-breakpoint
CREATE INDEX "payments_intent" ON "payments" USING btree ("intent_reference");--> statement-breakpoint
CREATE INDEX "payments_arranged" ON "payments" USING btree ("order_id") WHERE "payments"."provider" = 'manual';--> statement-breakpoint
CREATE INDEX "payments_capture_before" ON "payments" USING btree ("capture_before") WHERE "payments"."state" = 'authorized';--> statement-breakpoint
CREATE INDEX "payments_unsettled" ON "payments" USING btree (coalesce("read_at", "created_at")) WHERE "payments"."state" IN ('open', 'authorized');--> statement-breakpoint
CREATE INDEX "privacy_requests_due" ON "privacy_requests" USING btree ("due_at","id") WHERE "privacy_requests"."state" = 'open';--> statement-breakpoint
CREATE INDEX "privacy_requests_closed_at" ON "privacy_requests" USING btree ("closed_at" DESC NULLS FIRST,"id" DESC NULLS FIRST);--> statement-breakpoint
CREATE UNIQUE INDEX "privacy_requests_open" ON "privacy_requests" USING btree (lower("email"),"kind") WHERE "privacy_requests"."state" = 'open';--> statement-breakpoint
CREATE INDEX "privacy_requests_email" ON "privacy_requests" USING btree (lower("email"));--> statement-breakpoint
CREATE INDEX "search_documents_words" ON "search_documents" USING gin ("words");--> statement-breakpoint
CREATE INDEX "search_documents_named" ON "search_documents" USING gin (ts_filter("words", '{a,b}'));--> statement-breakpoint
CREATE UNIQUE INDEX "staff_invitations_open" ON "staff_invitations" USING btree ("email") WHERE "staff_invitations"."accepted_at" IS NULL;--> statement-breakpoint
CREATE INDEX "staff_sessions_user" ON "staff_sessions" USING btree ("user_id");--> statement-breakpoint
CREATE INDEX "contact_messages_sender" ON "contact_messages" USING btree (lower("email"),"created_at" DESC NULLS LAST);--> statement-breakpoint
CREATE INDEX "contact_messages_status_age" ON "contact_messages" USING btree ("status","created_at","id");--> statement-breakpoint
CREATE INDEX "contact_messages_assigned" ON "contact_messages" USING btree ("assigned_to","status","created_at","id");--> statement-breakpoint
CREATE INDEX "contact_messages_age" ON "contact_messages" USING btree ("created_at","id");--> statement-breakpoint
CREATE INDEX "contact_messages_order" ON "contact_messages" USING btree ("order_id") WHERE "contact_messages"."order_id" IS NOT NULL;--> statement-breakpoint
CREATE INDEX "contact_messages_words" ON "contact_messages" USING gin ("words");--> statement-breakpoint
CREATE INDEX "contact_replies_message" ON "contact_replies" USING btree ("message_id","created_at");--> statement-breakpoint
CREATE UNIQUE INDEX "tax_records_quote" ON "tax_records" USING btree ("quote") WHERE "tax_records"."quote" IS NOT NULL;--> statement-breakpoint
CREATE INDEX "tax_records_order" ON "tax_records" USING btree ("order_id");--> statement-breakpoint
CREATE INDEX "tax_records_created" ON "tax_records" USING btree ("created_at");--> statement-breakpoint
CREATE INDEX "tax_records_underway" ON "tax_records" USING btree ("created_at") WHERE "tax_records"."state" IN ('asked', 'sent');--> statement-breakpoint
CREATE INDEX "tax_records_failed" ON "tax_records" USING btree ("created_at") WHERE "tax_records"."state" = 'failed';--> statement-breakpoint
CREATE INDEX "waitlist_newest" ON "waitlist" USING btree ("created_at" DESC NULLS FIRST,"id" DESC NULLS FIRST);--> statement-breakpoint
CREATE INDEX "waitlist_campaign" ON "waitlist" USING btree ("utm_source","utm_campaign","created_at" DESC NULLS FIRST,"id" DESC NULLS FIRST);--> statement-breakpoint
CREATE INDEX "waitlist_unsubscribed" ON "waitlist" USING btree ("created_at" DESC NULLS FIRST,"id" DESC NULLS FIRST) WHERE "waitlist"."unsubscribed_at" IS NOT NULL;--> statement-breakpoint
CREATE INDEX "waitlist_invited" ON "waitlist" USING btree ("created_at" DESC NULLS FIRST,"id" DESC NULLS FIRST) WHERE "waitlist"."batch" IS NOT NULL;--> statement-breakpoint
CREATE INDEX "waitlist_unsent" ON "waitlist" USING btree ("invited_at") WHERE "waitlist"."batch" IS NOT NULL AND "waitlist"."sent_at" IS NULL;--> statement-breakpoint
CREATE INDEX "wishlists_product" ON "wishlists" USING btree ("product_id");
--> statement-breakpoint
-- Hand-written part: drizzle-kit does not generate these.

-- The clock of CLOCK_OFFSET: connections with this schema before pg_catalog in their search_path read these functions.
CREATE SCHEMA clock;
--> statement-breakpoint
CREATE FUNCTION clock.ahead() RETURNS interval LANGUAGE sql STABLE PARALLEL SAFE AS
  $$ SELECT make_interval(secs => current_setting('clock.offset_seconds')::float8) $$;
--> statement-breakpoint
CREATE FUNCTION clock.now() RETURNS timestamptz LANGUAGE sql STABLE PARALLEL SAFE AS
  $$ SELECT pg_catalog.now() + clock.ahead() $$;
--> statement-breakpoint
CREATE FUNCTION clock.statement_timestamp() RETURNS timestamptz LANGUAGE sql STABLE PARALLEL SAFE AS
  $$ SELECT pg_catalog.statement_timestamp() + clock.ahead() $$;
--> statement-breakpoint
CREATE FUNCTION clock.clock_timestamp() RETURNS timestamptz LANGUAGE sql VOLATILE PARALLEL SAFE AS
  $$ SELECT pg_catalog.clock_timestamp() + clock.ahead() $$;
--> statement-breakpoint

-- Counters are lost in a crash, which costs less than a disk write in every request.
ALTER TABLE rate_limits SET UNLOGGED;
--> statement-breakpoint
-- Every sale updates these rows; half-empty pages leave room for the new version of a row.
ALTER TABLE stock SET (fillfactor = 50);
--> statement-breakpoint
INSERT INTO colors (name, hex) VALUES ('Frost White', '#ece8e0'), ('Earth Green', '#7b8467'), ('Midnight Black', '#1b1e23');
--> statement-breakpoint
-- levenshtein() corrects misspelled words of a search.
CREATE EXTENSION IF NOT EXISTS fuzzystrmatch;
--> statement-breakpoint

-- History

CREATE FUNCTION append_only() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION '% is append-only', TG_TABLE_NAME;
END $$;
--> statement-breakpoint
-- Cascading deletes of an order or product run inside a trigger, so they pass.
CREATE TRIGGER order_events_append_only BEFORE UPDATE OR DELETE ON order_events
  FOR EACH ROW WHEN (pg_trigger_depth() = 0) EXECUTE FUNCTION append_only();
--> statement-breakpoint
CREATE TRIGGER stock_moves_append_only BEFORE UPDATE OR DELETE ON stock_moves
  FOR EACH ROW WHEN (pg_trigger_depth() = 0) EXECUTE FUNCTION append_only();
--> statement-breakpoint
CREATE TRIGGER audit_log_append_only BEFORE DELETE ON audit_log FOR EACH ROW EXECUTE FUNCTION append_only();
--> statement-breakpoint
-- Retention erases the address; nothing else of an entry changes.
CREATE TRIGGER audit_log_only_forgets BEFORE UPDATE ON audit_log FOR EACH ROW
  WHEN (NEW.address IS NOT NULL OR to_jsonb(NEW) - 'address' <> to_jsonb(OLD) - 'address') EXECUTE FUNCTION append_only();
--> statement-breakpoint

-- Accounts

CREATE FUNCTION make_profile() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO profiles (id, first_name, last_name) VALUES (NEW.id, NEW.first_name, NEW.last_name);
  RETURN NEW;
END $$;
--> statement-breakpoint
CREATE TRIGGER users_make_profile AFTER INSERT ON users FOR EACH ROW EXECUTE FUNCTION make_profile();
--> statement-breakpoint
-- Verification of the email by any link also confirms the place on the waitlist.
CREATE FUNCTION verify_waitlist() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE waitlist SET verified_at = now() WHERE user_id = NEW.id AND verified_at IS NULL;
  RETURN NEW;
END $$;
--> statement-breakpoint
CREATE TRIGGER users_verify_waitlist AFTER UPDATE OF email_verified ON users
  FOR EACH ROW WHEN (NEW.email_verified AND NOT OLD.email_verified) EXECUTE FUNCTION verify_waitlist();
--> statement-breakpoint
-- Sessions end 90 days after sign-in, even if renewed.
CREATE FUNCTION cap_session_lifetime() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW.expires_at := least(NEW.expires_at, NEW.created_at + interval '90 days');
  RETURN NEW;
END $$;
--> statement-breakpoint
CREATE TRIGGER sessions_lifetime BEFORE INSERT OR UPDATE OF created_at, expires_at ON sessions
  FOR EACH ROW EXECUTE FUNCTION cap_session_lifetime();
--> statement-breakpoint
-- A new password ends the account's sessions of the back office, however it was set.
CREATE FUNCTION end_staff_sessions() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE staff_sessions SET ended_at = now(), end_reason = 'password' WHERE user_id = NEW.user_id AND ended_at IS NULL;
  RETURN NEW;
END $$;
--> statement-breakpoint
CREATE TRIGGER accounts_end_staff_sessions AFTER UPDATE OF password ON accounts
  FOR EACH ROW WHEN (NEW.password IS DISTINCT FROM OLD.password) EXECUTE FUNCTION end_staff_sessions();
--> statement-breakpoint

-- Live updates

-- Tells open pages of the back office. A new order is announced with its confirmation: a NOTIFY in every sale would
-- serialize commits.
CREATE FUNCTION order_changed() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM pg_notify('office', 'change');
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE TRIGGER order_events_announced AFTER INSERT ON order_events
  FOR EACH ROW WHEN (NEW.from_status <> 'unpaid' OR NEW.staff_id IS NOT NULL) EXECUTE FUNCTION order_changed();
--> statement-breakpoint
CREATE TRIGGER order_notes_announced AFTER INSERT ON order_notes
  FOR EACH STATEMENT EXECUTE FUNCTION order_changed();
--> statement-breakpoint

-- Catalog

-- Catalog changes clear the rendered pages of every process. An empty payload sends one notification per transaction.
CREATE FUNCTION catalog_changed() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM pg_notify('catalog', '');
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE TRIGGER products_added_or_removed AFTER INSERT OR DELETE ON products
  FOR EACH STATEMENT EXECUTE FUNCTION catalog_changed();
--> statement-breakpoint
CREATE TRIGGER products_changed AFTER UPDATE ON products
  FOR EACH ROW WHEN (OLD.* IS DISTINCT FROM NEW.*) EXECUTE FUNCTION catalog_changed();
--> statement-breakpoint
CREATE TRIGGER colors_changed AFTER UPDATE ON colors
  FOR EACH ROW WHEN (OLD.* IS DISTINCT FROM NEW.*) EXECUTE FUNCTION catalog_changed();
--> statement-breakpoint
-- Versions refuse stale forms. The generated column is not computed yet in a BEFORE trigger, so it is left out here and
-- the trigger has no WHEN.
CREATE FUNCTION product_edited() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF to_jsonb(OLD) - 'model' <> to_jsonb(NEW) - 'model' THEN
    NEW.updated_at = now();
    NEW.version = OLD.version + 1;
  END IF;
  RETURN NEW;
END $$;
--> statement-breakpoint
CREATE TRIGGER products_edited BEFORE UPDATE ON products FOR EACH ROW EXECUTE FUNCTION product_edited();
--> statement-breakpoint

-- Stock

-- Every product has a stock row, 0 until counted.
CREATE FUNCTION add_stock() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO stock (product_id) VALUES (NEW.id);
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE TRIGGER products_get_stock AFTER INSERT ON products FOR EACH ROW EXECUTE FUNCTION add_stock();
--> statement-breakpoint
-- Pages distinguish stock only up to 11 ('In Stock'). A NOTIFY in every sale would serialize commits.
CREATE TRIGGER stock_changed AFTER UPDATE OF inventory_count ON stock
  FOR EACH ROW WHEN (least(OLD.inventory_count, 11) <> least(NEW.inventory_count, 11))
  EXECUTE FUNCTION catalog_changed();
--> statement-breakpoint

-- Search

-- Words are inserted in order, so that concurrent transactions do not deadlock.
CREATE FUNCTION learn_search_words() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO search_words AS known (word, in_product_name)
    SELECT lexeme, bool_or(NEW.kind = 'product' AND 'A' = ANY (weights))
    FROM unnest(setweight(to_tsvector('simple', NEW.title), 'A') || to_tsvector('simple', concat_ws(' ', NEW.place, NEW.body)))
    WHERE lexeme ~ '^[a-z]{4,}$' GROUP BY lexeme ORDER BY lexeme
  ON CONFLICT (word) DO UPDATE SET in_product_name = true
    WHERE excluded.in_product_name AND NOT known.in_product_name;
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE TRIGGER search_words_learned AFTER INSERT OR UPDATE ON search_documents
  FOR EACH ROW EXECUTE FUNCTION learn_search_words();
--> statement-breakpoint
CREATE FUNCTION product_to_search() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF NEW.retired_at IS NOT NULL THEN
    DELETE FROM search_documents WHERE id = 'product:' || NEW.id;
    RETURN NULL;
  END IF;
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
CREATE TRIGGER products_searchable AFTER INSERT OR UPDATE ON products
  FOR EACH ROW EXECUTE FUNCTION product_to_search();
--> statement-breakpoint

-- Orders and payments

-- Transitions of shop/orders/lifecycle.ts, enforced for manual statements too.
CREATE FUNCTION orders_status_moves() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF (OLD.status, NEW.status) NOT IN (('unpaid', 'processing'), ('unpaid', 'expired'), ('unpaid', 'canceled'),
    ('expired', 'processing'), ('processing', 'canceled'), ('processing', 'declined'), ('processing', 'shipped'),
    ('shipped', 'processing'), ('shipped', 'delivered'), ('shipped', 'canceled'),
    ('delivered', 'shipped'), ('canceled', 'delivered'), ('canceled', 'shipped')) THEN
    RAISE EXCEPTION 'an order cannot go from % to %', OLD.status, NEW.status USING ERRCODE = 'check_violation';
  END IF;
  RETURN NEW;
END;
$$;
--> statement-breakpoint
CREATE TRIGGER orders_status_moves AFTER UPDATE OF stage ON orders
  FOR EACH ROW WHEN (OLD.status <> NEW.status) EXECUTE FUNCTION orders_status_moves();
--> statement-breakpoint
-- Emails

-- Queues one email: {"template": name, ...data}. The columns are those that pg-boss's send() writes.
CREATE FUNCTION enqueue_email(job jsonb, urgency int DEFAULT 0) RETURNS uuid LANGUAGE plpgsql AS $$
DECLARE
  queued uuid;
BEGIN
  IF job->>'template' IS NULL THEN
    RAISE EXCEPTION 'an email needs the name of its template';
  END IF;
  -- The queue keeps true time; in a trial, the email's moment is the shop's.
  IF now() > pg_catalog.now() THEN
    job := job || jsonb_build_object('at', now());
  END IF;
  INSERT INTO pgboss.job (name, data, priority, policy, retry_limit, retry_delay, retry_backoff, retry_delay_max, expire_seconds, deletion_seconds, keep_until)
    SELECT name, job, urgency, policy, retry_limit, retry_delay, retry_backoff, retry_delay_max, expire_seconds, deletion_seconds,
      now() + retention_seconds * interval '1 second'
    FROM pgboss.queue WHERE name = 'mail'
    RETURNING id INTO queued;
  IF queued IS NULL THEN
    RAISE EXCEPTION 'there is no queue for emails';
  END IF;
  RETURN queued;
END
$$;
--> statement-breakpoint
ALTER TABLE "privacy_requests" DROP CONSTRAINT "privacy_requests_kind";--> statement-breakpoint
ALTER TABLE "privacy_requests" DROP CONSTRAINT "privacy_requests_channel";--> statement-breakpoint
ALTER TABLE "privacy_requests" DROP CONSTRAINT "privacy_requests_proof";--> statement-breakpoint
ALTER TABLE "privacy_requests" ADD COLUMN "answer" text;--> statement-breakpoint
ALTER TABLE "privacy_requests" ADD CONSTRAINT "privacy_requests_kind" CHECK ("privacy_requests"."kind" IN ('data', 'deletion', 'correction', 'objection'));--> statement-breakpoint
ALTER TABLE "privacy_requests" ADD CONSTRAINT "privacy_requests_channel" CHECK ("privacy_requests"."channel" IN ('email', 'form', 'account', 'phone', 'letter', 'agent'));--> statement-breakpoint
ALTER TABLE "privacy_requests" ADD CONSTRAINT "privacy_requests_proof" CHECK ("privacy_requests"."proof" IN ('wrote', 'answered', 'account', 'document'));
--> statement-breakpoint
ALTER TABLE "users" ADD COLUMN "suspended_at" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "users" ADD COLUMN "suspension_reason" text;--> statement-breakpoint
ALTER TABLE "users" ADD CONSTRAINT "users_suspended" CHECK (("users"."suspended_at" IS NULL) = ("users"."suspension_reason" IS NULL));--> statement-breakpoint
ALTER TABLE "users" ADD CONSTRAINT "users_suspension_reason" CHECK ("users"."suspension_reason" IN ('terms', 'fraud', 'resale', 'risk', 'taken'));
--> statement-breakpoint
ALTER TABLE "users" ADD COLUMN "new_email" text;
--> statement-breakpoint
CREATE TABLE "arbitration_opt_outs" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"email" text NOT NULL,
	"name" text NOT NULL,
	"address" text NOT NULL,
	"received_on" date NOT NULL,
	"staff_id" uuid,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
ALTER TABLE "arbitration_opt_outs" ADD CONSTRAINT "arbitration_opt_outs_staff_id_staff_user_id_fk" FOREIGN KEY ("staff_id") REFERENCES "public"."staff"("user_id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "arbitration_opt_outs_email" ON "arbitration_opt_outs" USING btree (lower("email"));--> statement-breakpoint
CREATE INDEX "arbitration_opt_outs_newest" ON "arbitration_opt_outs" USING btree ("created_at" DESC NULLS LAST);
--> statement-breakpoint
CREATE TABLE "notice_recipients" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"notice_id" text NOT NULL,
	"email" text NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"queued_at" timestamp with time zone
);
--> statement-breakpoint
CREATE TABLE "notices" (
	"id" text PRIMARY KEY NOT NULL,
	"subject" text NOT NULL,
	"body" text NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
ALTER TABLE "notice_recipients" ADD CONSTRAINT "notice_recipients_notice_id_notices_id_fk" FOREIGN KEY ("notice_id") REFERENCES "public"."notices"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "notice_recipients_once" ON "notice_recipients" USING btree ("notice_id",lower("email"));--> statement-breakpoint
CREATE INDEX "notice_recipients_email" ON "notice_recipients" USING btree (lower("email"));--> statement-breakpoint
CREATE INDEX "notice_recipients_waiting" ON "notice_recipients" USING btree ("created_at") WHERE "notice_recipients"."queued_at" IS NULL;
--> statement-breakpoint
CREATE TABLE "product_delays" (
	"product_id" uuid PRIMARY KEY NOT NULL,
	"until" date,
	"reason" text NOT NULL,
	"pays_again" boolean NOT NULL,
	"asked_by" jsonb NOT NULL,
	"asked_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "product_delays_reason" CHECK ("product_delays"."reason" IN ('not-ready', 'supplier', 'demand', 'quality', 'unpaid'))
);
--> statement-breakpoint
ALTER TABLE "product_delays" ADD CONSTRAINT "product_delays_product_id_products_id_fk" FOREIGN KEY ("product_id") REFERENCES "public"."products"("id") ON DELETE cascade ON UPDATE no action;
--> statement-breakpoint
CREATE TABLE "return_units" (
	"return_id" uuid NOT NULL,
	"order_id" uuid NOT NULL,
	"unit" smallint NOT NULL,
	"condition" text,
	"restocked" boolean DEFAULT false NOT NULL,
	"ended_at" timestamp with time zone,
	CONSTRAINT "return_units_return_id_unit_pk" PRIMARY KEY("return_id","unit"),
	CONSTRAINT "return_units_condition" CHECK ("return_units"."condition" IN ('new', 'used', 'damaged', 'incomplete'))
);
--> statement-breakpoint
CREATE TABLE "return_photos" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"return_id" uuid NOT NULL,
	"image" "bytea" NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "returns" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"number" text NOT NULL,
	"form_key" uuid NOT NULL,
	"kind" text NOT NULL,
	"order_id" uuid NOT NULL,
	"state" text DEFAULT 'requested' NOT NULL,
	"reason" text NOT NULL,
	"description" text DEFAULT '' NOT NULL,
	"exchange_product_id" uuid,
	"label_by" text NOT NULL,
	"label_url" text,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"authorized_at" timestamp with time zone,
	"ship_by" date,
	"reminded_at" timestamp with time zone,
	"received_at" timestamp with time zone,
	"due_on" date,
	"inspected_at" timestamp with time zone,
	"refuse_reason" text,
	"deduction" integer DEFAULT 0 NOT NULL,
	"deduction_reason" text,
	"quote" integer,
	"quote_accepted_at" timestamp with time zone,
	"outcome" text,
	"resolved_at" timestamp with time zone,
	"closed_at" timestamp with time zone,
	"staff_id" uuid,
	CONSTRAINT "returns_number_unique" UNIQUE("number"),
	CONSTRAINT "returns_formKey_unique" UNIQUE("form_key"),
	CONSTRAINT "returns_kind" CHECK ("returns"."kind" IN ('return', 'exchange', 'defect', 'warranty', 'repair')),
	CONSTRAINT "returns_state" CHECK ("returns"."state" IN ('requested', 'authorized', 'received', 'inspected', 'quoted', 'resolved', 'closed', 'declined', 'withdrawn', 'expired')),
	CONSTRAINT "returns_reason" CHECK ("returns"."reason" IN ('not-for-me', 'other-model', 'wrong-item', 'defective', 'damaged', 'missing', 'temperature', 'power', 'battery', 'gasket', 'accident', 'other')),
	CONSTRAINT "returns_outcome" CHECK ("returns"."outcome" IN ('refund', 'replacement', 'repair', 'part', 'sent-back')),
	CONSTRAINT "returns_resolved" CHECK (("returns"."outcome" IS NOT NULL) = ("returns"."state" IN ('resolved', 'closed'))),
	CONSTRAINT "returns_ship_by" CHECK ("returns"."state" <> 'authorized' OR "returns"."ship_by" IS NOT NULL OR "returns"."label_by" = 'us'),
	CONSTRAINT "returns_refuse_reason" CHECK ("returns"."refuse_reason" IN ('late', 'not-covered', 'not-ours', 'helped')),
	CONSTRAINT "returns_declined" CHECK ("returns"."state" <> 'declined' OR "returns"."refuse_reason" IS NOT NULL),
	CONSTRAINT "returns_deduction" CHECK (("returns"."deduction" > 0) = ("returns"."deduction_reason" IS NOT NULL)),
	CONSTRAINT "returns_deduction_reason" CHECK ("returns"."deduction_reason" IN ('used', 'damaged', 'incomplete')),
	CONSTRAINT "returns_amounts" CHECK (least("returns"."deduction", "returns"."quote") >= 0)
);
--> statement-breakpoint
ALTER TABLE "order_events" DROP CONSTRAINT "order_events_type";--> statement-breakpoint
ALTER TABLE "stock_moves" ADD COLUMN "return_id" uuid;--> statement-breakpoint
ALTER TABLE "payment_actions" ADD COLUMN "return_id" uuid;--> statement-breakpoint
ALTER TABLE "return_units" ADD CONSTRAINT "return_units_return_id_returns_id_fk" FOREIGN KEY ("return_id") REFERENCES "public"."returns"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "return_photos" ADD CONSTRAINT "return_photos_return_id_returns_id_fk" FOREIGN KEY ("return_id") REFERENCES "public"."returns"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "returns" ADD CONSTRAINT "returns_order_id_orders_id_fk" FOREIGN KEY ("order_id") REFERENCES "public"."orders"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "returns" ADD CONSTRAINT "returns_exchange_product_id_products_id_fk" FOREIGN KEY ("exchange_product_id") REFERENCES "public"."products"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "return_units_one_return" ON "return_units" USING btree ("order_id","unit") WHERE "return_units"."ended_at" IS NULL;--> statement-breakpoint
CREATE VIEW return_items AS SELECT return_id, unit.order_id, order_item_id, count(*)::int AS quantity,
    min(condition) AS condition, bool_or(restocked) AS restocked
  FROM return_units JOIN order_units AS unit ON unit.order_id = return_units.order_id AND unit.number = return_units.unit GROUP BY 1, 2, 3;--> statement-breakpoint
CREATE INDEX "return_photos_return" ON "return_photos" USING btree ("return_id");--> statement-breakpoint
CREATE INDEX "returns_order" ON "returns" USING btree ("order_id");--> statement-breakpoint
CREATE INDEX "returns_newest" ON "returns" USING btree ("created_at" DESC NULLS FIRST,"id" DESC NULLS FIRST);--> statement-breakpoint
CREATE INDEX "returns_state" ON "returns" USING btree ("state","created_at" DESC NULLS FIRST,"id" DESC NULLS FIRST);--> statement-breakpoint
CREATE INDEX "returns_ship_by" ON "returns" USING btree ("ship_by") WHERE "returns"."state" = 'authorized';--> statement-breakpoint
CREATE INDEX "returns_open" ON "returns" USING btree ("due_on") WHERE "returns"."state" IN ('requested', 'authorized', 'received', 'inspected', 'quoted', 'resolved');--> statement-breakpoint
CREATE INDEX "payment_actions_return" ON "payment_actions" USING btree ("return_id") WHERE "payment_actions"."return_id" IS NOT NULL;--> statement-breakpoint
ALTER TABLE "order_events" ADD CONSTRAINT "order_events_type" CHECK ("order_events"."type" IN ('placed', 'replacement-placed', 'held', 'authorized', 'card-saved', 'expired', 'authorized-late', 'card-saved-late', 'canceled', 'declined', 'shipped', 'shipment-undone', 'delivered', 'fee-charged', 'payment-requested', 'payment-recorded', 'payment-authorized', 'card-changed', 'payment-failed', 'capture-failed', 'charge-refused', 'charge-announced', 'line-canceled', 'delayed', 'delay-accepted', 'parcel-shipped', 'parcel-undone', 'tracking-corrected', 'hold-extended', 'return-changed', 'refunded', 'refund-failed', 'payment-voided', 'payment-mismatch', 'disputed', 'dispute-closed'));
--> statement-breakpoint
-- Transitions of shop/returns/lifecycle.ts, enforced for manual statements too.
CREATE FUNCTION returns_state_moves() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF (OLD.state, NEW.state) NOT IN (('requested', 'authorized'), ('requested', 'declined'), ('requested', 'withdrawn'),
    ('requested', 'resolved'), ('authorized', 'withdrawn'), ('authorized', 'expired'), ('authorized', 'received'),
    ('authorized', 'resolved'), ('expired', 'authorized'), ('received', 'inspected'), ('inspected', 'quoted'),
    ('inspected', 'resolved'), ('quoted', 'inspected'), ('quoted', 'resolved'), ('resolved', 'closed')) THEN
    RAISE EXCEPTION 'a return cannot go from % to %', OLD.state, NEW.state USING ERRCODE = 'check_violation';
  END IF;
  RETURN NEW;
END;
$$;
--> statement-breakpoint
CREATE TRIGGER returns_state_moves BEFORE UPDATE OF state ON returns
  FOR EACH ROW WHEN (OLD.state <> NEW.state) EXECUTE FUNCTION returns_state_moves();
--> statement-breakpoint
CREATE TABLE "labels" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"order_id" uuid NOT NULL,
	"state" text DEFAULT 'quoted' NOT NULL,
	"box" text NOT NULL,
	"ounces" integer NOT NULL,
	"units" jsonb NOT NULL,
	"unshipped" jsonb NOT NULL,
	"rates" jsonb NOT NULL,
	"rate" jsonb,
	"tracking_number" text,
	"url" text,
	"problem" text,
	"staff_id" uuid,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "labels_state" CHECK ("labels"."state" IN ('quoted', 'asked', 'bought', 'used', 'voiding', 'voided', 'failed')),
	CONSTRAINT "labels_rate" CHECK ("labels"."state" = 'quoted' OR "labels"."rate" IS NOT NULL)
);
--> statement-breakpoint
ALTER TABLE "stock_moves" DROP CONSTRAINT "stock_moves_reason";--> statement-breakpoint
ALTER TABLE "order_events" DROP CONSTRAINT "order_events_type";--> statement-breakpoint
ALTER TABLE "order_events" DROP CONSTRAINT "order_events_actor";--> statement-breakpoint
ALTER TABLE "products" ADD COLUMN "weight_oz" integer;--> statement-breakpoint
ALTER TABLE "shipments" ADD COLUMN "label_id" uuid;--> statement-breakpoint
ALTER TABLE "shipments" ADD COLUMN "progress" text;--> statement-breakpoint
ALTER TABLE "shipments" ADD COLUMN "progress_at" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "shipments" ADD COLUMN "returned_at" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "shipments" ADD COLUMN "tracked_at" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "labels" ADD CONSTRAINT "labels_order_id_orders_id_fk" FOREIGN KEY ("order_id") REFERENCES "public"."orders"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "labels_order" ON "labels" USING btree ("order_id");--> statement-breakpoint
CREATE INDEX "labels_quoted" ON "labels" USING btree ("created_at") WHERE "labels"."state" = 'quoted';--> statement-breakpoint
CREATE UNIQUE INDEX "labels_one_due" ON "labels" USING btree ("order_id") WHERE "labels"."state" IN ('asked', 'bought');--> statement-breakpoint
CREATE INDEX "labels_voiding" ON "labels" USING btree ("created_at") WHERE "labels"."state" = 'voiding';--> statement-breakpoint
ALTER TABLE "shipments" ADD CONSTRAINT "shipments_label_id_labels_id_fk" FOREIGN KEY ("label_id") REFERENCES "public"."labels"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "shipments_tracking_number" ON "shipments" USING btree ("tracking_number");--> statement-breakpoint
CREATE INDEX "shipments_on_the_way" ON "shipments" USING btree ("tracked_at") WHERE "shipments"."state" IN ('shipped', 'lost');--> statement-breakpoint
CREATE INDEX "shipments_in_trouble" ON "shipments" USING btree ("order_id") WHERE "shipments"."state" IN ('refused', 'lost');--> statement-breakpoint
ALTER TABLE "shipments" ADD CONSTRAINT "shipments_labelId_unique" UNIQUE("label_id");--> statement-breakpoint
ALTER TABLE "products" ADD CONSTRAINT "products_weight" CHECK ("products"."weight_oz" > 0);--> statement-breakpoint
ALTER TABLE "shipments" ADD CONSTRAINT "shipments_progress" CHECK ("shipments"."progress" IN ('in-transit', 'out-for-delivery'));--> statement-breakpoint
ALTER TABLE "stock_moves" ADD CONSTRAINT "stock_moves_reason" CHECK ("stock_moves"."reason" IN ('received', 'counted', 'damaged', 'returned', 'resent', 'correction'));--> statement-breakpoint
ALTER TABLE "order_events" ADD CONSTRAINT "order_events_type" CHECK ("order_events"."type" IN ('placed', 'replacement-placed', 'held', 'authorized', 'card-saved', 'expired', 'authorized-late', 'card-saved-late', 'canceled', 'declined', 'shipped', 'shipment-undone', 'delivered', 'fee-charged', 'payment-requested', 'payment-recorded', 'payment-authorized', 'card-changed', 'payment-failed', 'capture-failed', 'charge-refused', 'charge-announced', 'line-canceled', 'delayed', 'delay-accepted', 'parcel-shipped', 'parcel-undone', 'tracking-corrected', 'parcel-delivered', 'parcel-refused', 'parcel-lost', 'parcel-returned', 'parcel-resent', 'hold-extended', 'return-changed', 'refunded', 'refund-failed', 'payment-voided', 'payment-mismatch', 'disputed', 'dispute-closed'));--> statement-breakpoint
ALTER TABLE "order_events" ADD CONSTRAINT "order_events_actor" CHECK ("order_events"."actor" IN ('customer', 'guest', 'staff', 'provider', 'carrier', 'system'));--> statement-breakpoint
-- Products have said their weight in their specifications, in pounds.
UPDATE "products" SET "weight_oz" = ceil(("specs"->>'weight_lb')::numeric * 16) WHERE "specs"->>'weight_lb' ~ '^[0-9]*[.]?[0-9]*[1-9][0-9]*$';
--> statement-breakpoint
ALTER TABLE "order_events" DROP CONSTRAINT "order_events_type";--> statement-breakpoint
ALTER TABLE "order_events" ADD CONSTRAINT "order_events_type" CHECK ("order_events"."type" IN ('placed', 'replacement-placed', 'held', 'authorized', 'card-saved', 'expired', 'authorized-late', 'card-saved-late', 'canceled', 'declined', 'shipped', 'shipment-undone', 'delivered', 'fee-charged', 'payment-requested', 'payment-recorded', 'payment-authorized', 'card-changed', 'payment-failed', 'capture-failed', 'charge-refused', 'charge-announced', 'line-canceled', 'delayed', 'delay-accepted', 'address-changed', 'parcel-shipped', 'parcel-undone', 'tracking-corrected', 'parcel-delivered', 'parcel-refused', 'parcel-lost', 'parcel-returned', 'parcel-resent', 'hold-extended', 'return-changed', 'refunded', 'refund-failed', 'payment-voided', 'payment-mismatch', 'disputed', 'dispute-closed'));
--> statement-breakpoint
CREATE TABLE "backups" (
	"moment" timestamp with time zone PRIMARY KEY DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "health_alerts" (
	"name" text PRIMARY KEY NOT NULL,
	"since" timestamp with time zone DEFAULT now() NOT NULL,
	"seen_at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
ALTER TABLE "payment_inbox" ADD COLUMN "missed" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "payment_inbox" ADD COLUMN "mode" text NOT NULL;--> statement-breakpoint
CREATE INDEX "payment_actions_refused" ON "payment_actions" USING btree ("done_at") WHERE "payment_actions"."kind" = 'capture' AND "payment_actions"."state" = 'failed';--> statement-breakpoint
CREATE INDEX "payment_inbox_received" ON "payment_inbox" USING btree ("received_at");
--> statement-breakpoint
ALTER TABLE "order_events" DROP CONSTRAINT "order_events_type";--> statement-breakpoint
ALTER TABLE "order_events" ADD CONSTRAINT "order_events_type" CHECK ("order_events"."type" IN ('placed', 'replacement-placed', 'held', 'authorized', 'card-saved', 'expired', 'authorized-late', 'card-saved-late', 'canceled', 'declined', 'shipped', 'shipment-undone', 'delivered', 'undelivered', 'fee-charged', 'payment-requested', 'payment-recorded', 'payment-authorized', 'card-changed', 'payment-failed', 'capture-failed', 'charge-refused', 'charge-announced', 'line-canceled', 'delayed', 'delay-accepted', 'address-changed', 'parcel-shipped', 'parcel-undone', 'tracking-corrected', 'parcel-delivered', 'parcel-refused', 'parcel-lost', 'parcel-returned', 'parcel-resent', 'hold-extended', 'return-changed', 'refunded', 'refund-failed', 'payment-voided', 'payment-mismatch', 'disputed', 'dispute-closed'));--> statement-breakpoint
CREATE TABLE "incoming_emails" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"message_id" uuid NOT NULL,
	"mail_id" text NOT NULL,
	"text" text NOT NULL,
	"reply_to" text,
	"first" boolean NOT NULL,
	"refused" text[] NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "incoming_emails_mailId_unique" UNIQUE("mail_id")
);
--> statement-breakpoint
CREATE TABLE "incoming_pictures" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"email_id" uuid NOT NULL,
	"name" text NOT NULL,
	"image" "bytea" NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
ALTER TABLE "contact_messages" ADD COLUMN "subject" text;--> statement-breakpoint
ALTER TABLE "contact_messages" ADD COLUMN "warning" text;--> statement-breakpoint
ALTER TABLE "contact_messages" ADD COLUMN "claimed_id" uuid;--> statement-breakpoint
ALTER TABLE "contact_messages" ADD COLUMN "sent_from" text;--> statement-breakpoint
ALTER TABLE "contact_messages" ADD COLUMN "automatic" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "incoming_emails" ADD CONSTRAINT "incoming_emails_message_id_contact_messages_id_fk" FOREIGN KEY ("message_id") REFERENCES "public"."contact_messages"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "incoming_pictures" ADD CONSTRAINT "incoming_pictures_email_id_incoming_emails_id_fk" FOREIGN KEY ("email_id") REFERENCES "public"."incoming_emails"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "incoming_emails_message" ON "incoming_emails" USING btree ("message_id","created_at");--> statement-breakpoint
CREATE INDEX "incoming_pictures_email" ON "incoming_pictures" USING btree ("email_id","created_at");--> statement-breakpoint
ALTER TABLE "contact_messages" ADD CONSTRAINT "contact_messages_claimed_id_contact_messages_id_fk" FOREIGN KEY ("claimed_id") REFERENCES "public"."contact_messages"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "contact_messages_claimed" ON "contact_messages" USING btree ("claimed_id") WHERE "contact_messages"."claimed_id" IS NOT NULL;--> statement-breakpoint
ALTER TABLE "contact_messages" ADD CONSTRAINT "contact_messages_warning" CHECK ("contact_messages"."warning" IN ('other-sender', 'forged-address', 'unreadable'));
--> statement-breakpoint
CREATE INDEX "orders_zip" ON "orders" USING btree ("shipping_postal_code" text_pattern_ops,"created_at" DESC NULLS FIRST);--> statement-breakpoint
CREATE INDEX "orders_phone" ON "orders" USING btree (right(regexp_replace(phone, '[^0-9]', '', 'g'), 10) text_pattern_ops,"created_at" DESC NULLS FIRST);
--> statement-breakpoint
CREATE TABLE "settings_versions" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "settings_versions_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"section" text NOT NULL,
	"value" jsonb NOT NULL,
	"effective_on" date NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"withdrawn_at" timestamp with time zone,
	"staff_id" uuid NOT NULL
);
--> statement-breakpoint
-- Changes of the catalog and the settings clear the rendered pages of every process. Equal payloads, the name of the table,
-- are one notification per transaction.
CREATE OR REPLACE FUNCTION catalog_changed() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM pg_notify('catalog', TG_TABLE_NAME);
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE TRIGGER settings_announced AFTER INSERT OR UPDATE ON settings_versions
  FOR EACH STATEMENT EXECUTE FUNCTION catalog_changed();
--> statement-breakpoint
CREATE TABLE "texts" (
	"key" text NOT NULL,
	"version" integer NOT NULL,
	"markdown" text,
	"fields" jsonb NOT NULL,
	"publish_at" timestamp with time zone,
	"effective_on" date,
	"staff_id" uuid NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"replaces" integer,
	CONSTRAINT "texts_key_version_pk" PRIMARY KEY("key","version"),
	CONSTRAINT "texts_version" CHECK ("texts"."version" > 0)
);
--> statement-breakpoint
-- Every process reads the texts again, and drops its pages.
CREATE TRIGGER texts_published AFTER INSERT ON texts
  FOR EACH ROW WHEN (NEW.publish_at IS NOT NULL) EXECUTE FUNCTION catalog_changed();
--> statement-breakpoint
CREATE TRIGGER texts_append_only BEFORE UPDATE OR DELETE ON texts FOR EACH ROW EXECUTE FUNCTION append_only();
--> statement-breakpoint
ALTER TABLE "products" ADD COLUMN "picture_alts" jsonb DEFAULT '{}'::jsonb NOT NULL;
--> statement-breakpoint
ALTER TABLE "profiles" ADD COLUMN "staff_note" text DEFAULT '' NOT NULL;
--> statement-breakpoint
-- A return is decided again once the order of its replacement is canceled.
CREATE OR REPLACE FUNCTION returns_state_moves() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF (OLD.state, NEW.state) NOT IN (('requested', 'authorized'), ('requested', 'declined'), ('requested', 'withdrawn'),
    ('requested', 'resolved'), ('authorized', 'withdrawn'), ('authorized', 'expired'), ('authorized', 'received'),
    ('authorized', 'resolved'), ('expired', 'authorized'), ('withdrawn', 'authorized'),
    ('received', 'inspected'), ('inspected', 'quoted'),
    ('inspected', 'resolved'), ('quoted', 'inspected'), ('quoted', 'resolved'), ('resolved', 'closed')) THEN
    RAISE EXCEPTION 'a return cannot go from % to %', OLD.state, NEW.state USING ERRCODE = 'check_violation';
  END IF;
  RETURN NEW;
END;
$$;
--> statement-breakpoint
CREATE INDEX "payment_inbox_webhooks" ON "payment_inbox" USING btree ("received_at") WHERE NOT "payment_inbox"."missed";
--> statement-breakpoint
CREATE TABLE "charge_items" (
	"charge_id" uuid NOT NULL,
	"order_id" uuid NOT NULL,
	"kind" text NOT NULL,
	"unit" smallint,
	"cents" integer NOT NULL,
	"tax" integer NOT NULL,
	"released_at" timestamp with time zone,
	CONSTRAINT "charge_items_key" UNIQUE NULLS NOT DISTINCT("charge_id","kind","unit"),
	CONSTRAINT "charge_items_kind" CHECK ("charge_items"."kind" IN ('unit', 'shipping', 'goodwill', 'fee', 'repair', 'tax')),
	CONSTRAINT "charge_items_unit" CHECK (("charge_items"."kind" = 'unit') = ("charge_items"."unit" IS NOT NULL)),
	CONSTRAINT "charge_items_amounts" CHECK ("charge_items"."tax" BETWEEN 0 AND "charge_items"."cents")
);
--> statement-breakpoint
CREATE TABLE "charges" (
	"id" uuid PRIMARY KEY NOT NULL,
	"order_id" uuid NOT NULL,
	"state" text NOT NULL,
	"by" text NOT NULL,
	"return_id" uuid,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"announced_at" timestamp with time zone,
	"charge_on" date,
	"approved_at" timestamp with time zone,
	CONSTRAINT "charges_state" CHECK ("charges"."state" IN ('announced', 'asked', 'paid', 'failed', 'withdrawn')),
	CONSTRAINT "charges_by" CHECK ("charges"."by" IN ('ship', 'link', 'arranged'))
);
--> statement-breakpoint
CREATE TABLE "refund_items" (
	"refund_id" uuid NOT NULL,
	"order_id" uuid NOT NULL,
	"kind" text NOT NULL,
	"unit" smallint,
	"cents" integer NOT NULL,
	"tax" integer NOT NULL,
	CONSTRAINT "refund_items_key" UNIQUE NULLS NOT DISTINCT("refund_id","kind","unit"),
	CONSTRAINT "refund_items_kind" CHECK ("refund_items"."kind" IN ('unit', 'shipping', 'goodwill', 'fee', 'repair', 'tax')),
	CONSTRAINT "refund_items_unit" CHECK (("refund_items"."kind" = 'unit') = ("refund_items"."unit" IS NOT NULL)),
	CONSTRAINT "refund_items_amounts" CHECK ("refund_items"."tax" BETWEEN 0 AND "refund_items"."cents")
);
--> statement-breakpoint
CREATE TABLE "refunds" (
	"id" uuid PRIMARY KEY NOT NULL,
	"order_id" uuid NOT NULL,
	"reason" text NOT NULL,
	"return_id" uuid,
	"asked_by" text NOT NULL,
	"staff_id" uuid,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"applied_to" uuid,
	"applied" integer DEFAULT 0 NOT NULL,
	"otherwise_at" timestamp with time zone,
	CONSTRAINT "refunds_asked_by" CHECK ("refunds"."asked_by" IN ('customer', 'guest', 'staff', 'provider', 'carrier', 'system'))
);
--> statement-breakpoint
CREATE TABLE "delay_notices" (
	"id" uuid PRIMARY KEY NOT NULL,
	"order_id" uuid NOT NULL,
	"sent_at" timestamp with time zone NOT NULL,
	"from" date,
	"until" date,
	"answer_by" date,
	"accepted_at" timestamp with time zone
);
--> statement-breakpoint
ALTER TABLE "shipments" DROP CONSTRAINT "shipments_state";--> statement-breakpoint
ALTER TABLE "shipments" DROP CONSTRAINT "shipments_capture_id_payment_actions_id_fk";
--> statement-breakpoint
DROP INDEX "payment_actions_return";--> statement-breakpoint
DROP INDEX "shipments_one_capturing";--> statement-breakpoint
ALTER TABLE "orders" ADD COLUMN "promised_at" timestamp with time zone DEFAULT now() NOT NULL;--> statement-breakpoint
ALTER TABLE "order_units" ADD COLUMN "replaces" smallint;--> statement-breakpoint
ALTER TABLE "order_units" ADD COLUMN "carried" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "order_units" ADD COLUMN "return_id" uuid;--> statement-breakpoint
ALTER TABLE "order_units" ADD COLUMN "reserved" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "return_units" ADD COLUMN "received_at" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "return_units" ADD COLUMN "goes_back_at" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "charge_items" ADD CONSTRAINT "charge_items_charge_id_charges_id_fk" FOREIGN KEY ("charge_id") REFERENCES "public"."charges"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "charges" ADD CONSTRAINT "charges_order_id_orders_id_fk" FOREIGN KEY ("order_id") REFERENCES "public"."orders"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "refund_items" ADD CONSTRAINT "refund_items_refund_id_refunds_id_fk" FOREIGN KEY ("refund_id") REFERENCES "public"."refunds"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "refunds" ADD CONSTRAINT "refunds_order_id_orders_id_fk" FOREIGN KEY ("order_id") REFERENCES "public"."orders"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "delay_notices" ADD CONSTRAINT "delay_notices_order_id_orders_id_fk" FOREIGN KEY ("order_id") REFERENCES "public"."orders"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "charge_items_order" ON "charge_items" USING btree ("order_id");--> statement-breakpoint
CREATE UNIQUE INDEX "charge_items_one_charge" ON "charge_items" USING btree ("order_id","unit") WHERE "charge_items"."kind" = 'unit' AND "charge_items"."released_at" IS NULL;--> statement-breakpoint
CREATE UNIQUE INDEX "charge_items_one_shipping" ON "charge_items" USING btree ("order_id") WHERE "charge_items"."kind" = 'shipping' AND "charge_items"."released_at" IS NULL;--> statement-breakpoint
CREATE INDEX "charges_order" ON "charges" USING btree ("order_id");--> statement-breakpoint
CREATE INDEX "refund_items_order" ON "refund_items" USING btree ("order_id");--> statement-breakpoint
CREATE UNIQUE INDEX "refund_items_one_refund" ON "refund_items" USING btree ("order_id","unit") WHERE "refund_items"."kind" = 'unit';--> statement-breakpoint
CREATE UNIQUE INDEX "refund_items_one_shipping" ON "refund_items" USING btree ("order_id") WHERE "refund_items"."kind" = 'shipping';--> statement-breakpoint
CREATE INDEX "refunds_order" ON "refunds" USING btree ("order_id");--> statement-breakpoint
CREATE INDEX "refunds_return" ON "refunds" USING btree ("return_id") WHERE "refunds"."return_id" IS NOT NULL;--> statement-breakpoint
CREATE INDEX "delay_notices_order" ON "delay_notices" USING btree ("order_id");--> statement-breakpoint
CREATE UNIQUE INDEX "shipments_one_capturing" ON "shipments" USING btree ("order_id") WHERE "shipments"."state" = 'packing';--> statement-breakpoint
ALTER TABLE "shipments" DROP COLUMN "capture_id";--> statement-breakpoint
ALTER TABLE "payment_actions" DROP COLUMN "reason";--> statement-breakpoint
ALTER TABLE "payment_actions" DROP COLUMN "return_id";--> statement-breakpoint
ALTER TABLE "payment_actions" DROP COLUMN "units";--> statement-breakpoint
ALTER TABLE "payment_actions" DROP COLUMN "resolved_at";--> statement-breakpoint
ALTER TABLE "shipments" ADD CONSTRAINT "shipments_state" CHECK ("shipments"."state" IN ('packing', 'failed', 'shipped', 'delivered', 'refused', 'lost'));
--> statement-breakpoint
ALTER TABLE "shipments" ADD COLUMN "charge_id" uuid;--> statement-breakpoint
ALTER TABLE "payment_actions" ADD COLUMN "charge_id" uuid;--> statement-breakpoint
ALTER TABLE "payment_actions" ADD COLUMN "refund_id" uuid;--> statement-breakpoint
ALTER TABLE "payments" ADD COLUMN "charge_id" uuid;--> statement-breakpoint
ALTER TABLE "shipments" ADD CONSTRAINT "shipments_charge_id_charges_id_fk" FOREIGN KEY ("charge_id") REFERENCES "public"."charges"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "payment_actions" ADD CONSTRAINT "payment_actions_charge_id_charges_id_fk" FOREIGN KEY ("charge_id") REFERENCES "public"."charges"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "payment_actions" ADD CONSTRAINT "payment_actions_refund_id_refunds_id_fk" FOREIGN KEY ("refund_id") REFERENCES "public"."refunds"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "payments" ADD CONSTRAINT "payments_charge_id_charges_id_fk" FOREIGN KEY ("charge_id") REFERENCES "public"."charges"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "payment_actions_charge" ON "payment_actions" USING btree ("charge_id") WHERE "payment_actions"."charge_id" IS NOT NULL;--> statement-breakpoint
CREATE INDEX "payment_actions_refund" ON "payment_actions" USING btree ("refund_id") WHERE "payment_actions"."refund_id" IS NOT NULL;
--> statement-breakpoint
ALTER TABLE "order_events" DROP CONSTRAINT "order_events_type";--> statement-breakpoint
ALTER TABLE "order_events" ADD CONSTRAINT "order_events_type" CHECK ("order_events"."type" IN ('placed', 'held', 'authorized', 'card-saved', 'expired', 'authorized-late', 'card-saved-late', 'canceled', 'declined', 'shipped', 'shipment-undone', 'delivered', 'undelivered', 'reopened', 'payment-requested', 'charge-asked', 'payment-recorded', 'payment-authorized', 'card-changed', 'payment-failed', 'capture-failed', 'charge-refused', 'charge-announced', 'charge-approved', 'payment-received', 'line-canceled', 'delayed', 'delay-accepted', 'address-changed', 'parcel-shipped', 'parcel-undone', 'tracking-corrected', 'parcel-delivered', 'parcel-refused', 'parcel-lost', 'parcel-returned', 'parcel-resent', 'hold-extended', 'return-changed', 'refunded', 'refund-failed', 'payment-voided', 'payment-mismatch', 'disputed', 'dispute-closed'));
--> statement-breakpoint
ALTER TABLE "order_items" ADD COLUMN "return_id" uuid;--> statement-breakpoint
CREATE INDEX "order_units_reserved" ON "order_units" USING btree ("order_item_id") WHERE "order_units"."reserved" AND "order_units"."canceled_at" IS NULL;--> statement-breakpoint
CREATE INDEX "returns_label_owed" ON "returns" USING btree ("authorized_at") WHERE "returns"."state" = 'authorized' AND "returns"."ship_by" IS NULL;
--> statement-breakpoint
ALTER TABLE "tax_records" ADD CONSTRAINT "tax_records_charge_id_charges_id_fk" FOREIGN KEY ("charge_id") REFERENCES "public"."charges"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "tax_records" ADD CONSTRAINT "tax_records_refund_id_refunds_id_fk" FOREIGN KEY ("refund_id") REFERENCES "public"."refunds"("id") ON DELETE no action ON UPDATE no action;

--> statement-breakpoint
ALTER TABLE "orders" ADD COLUMN "announce_on" date;--> statement-breakpoint
CREATE INDEX "orders_announce_on" ON "orders" USING btree ("announce_on") WHERE "orders"."announce_on" IS NOT NULL;--> statement-breakpoint
ALTER TABLE "order_items" DROP COLUMN "charge_announced_for";
--> statement-breakpoint
ALTER TABLE "charges" ADD COLUMN "is_early" boolean DEFAULT false NOT NULL;
--> statement-breakpoint

--> statement-breakpoint
ALTER TABLE "order_units" DROP CONSTRAINT "order_units_amounts";--> statement-breakpoint
ALTER TABLE "orders" ADD COLUMN "shipping_waived" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "order_units" ADD COLUMN "waived" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "order_units" ADD CONSTRAINT "order_units_amounts" CHECK (least("order_units"."price", "order_units"."tax", "order_units"."waived") >= 0);
--> statement-breakpoint
ALTER TABLE "tax_records" ADD COLUMN "address" jsonb NOT NULL;
--> statement-breakpoint
CREATE TABLE "order_differences" (
	"order_id" uuid PRIMARY KEY NOT NULL,
	"problems" text[] NOT NULL,
	"found_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
ALTER TABLE "orders" ADD COLUMN "changed_at" timestamp with time zone DEFAULT now() NOT NULL;--> statement-breakpoint
ALTER TABLE "order_differences" ADD CONSTRAINT "order_differences_order_id_orders_id_fk" FOREIGN KEY ("order_id") REFERENCES "public"."orders"("id") ON DELETE cascade ON UPDATE no action;
--> statement-breakpoint
CREATE INDEX "refunds_without_staff" ON "refunds" USING btree ("order_id") WHERE "refunds"."asked_by" <> 'staff' AND "refunds"."otherwise_at" IS NULL;
--> statement-breakpoint
ALTER TABLE "charge_items" DROP CONSTRAINT "charge_items_kind";--> statement-breakpoint
ALTER TABLE "refund_items" DROP CONSTRAINT "refund_items_kind";--> statement-breakpoint
ALTER TABLE "charge_items" ADD CONSTRAINT "charge_items_kind" CHECK ("charge_items"."kind" IN ('unit', 'shipping', 'goodwill', 'fee', 'repair', 'surplus'));--> statement-breakpoint
ALTER TABLE "refund_items" ADD CONSTRAINT "refund_items_kind" CHECK ("refund_items"."kind" IN ('unit', 'shipping', 'goodwill', 'fee', 'repair', 'surplus'));
--> statement-breakpoint
ALTER TABLE "returns" DROP CONSTRAINT "returns_amounts";--> statement-breakpoint
ALTER TABLE "returns" ADD COLUMN "exchange_price" integer;--> statement-breakpoint
ALTER TABLE "returns" ADD COLUMN "exchange_tax" integer;--> statement-breakpoint
ALTER TABLE "returns" ADD CONSTRAINT "returns_amounts" CHECK (least("returns"."deduction", "returns"."quote", "returns"."exchange_price", "returns"."exchange_tax") >= 0);
--> statement-breakpoint
DROP INDEX "refunds_without_staff";--> statement-breakpoint
DROP INDEX "payment_actions_reference";--> statement-breakpoint
DROP INDEX "payments_one_open";--> statement-breakpoint
ALTER TABLE "refunds" ADD COLUMN "otherwise" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
CREATE INDEX "refunds_without_staff" ON "refunds" USING btree ("order_id") WHERE "refunds"."asked_by" <> 'staff' AND "refunds"."otherwise" = 0;--> statement-breakpoint
CREATE UNIQUE INDEX "payment_actions_reference" ON "payment_actions" USING btree ("provider_reference","refund_id");--> statement-breakpoint
CREATE UNIQUE INDEX "payments_one_open" ON "payments" USING btree ("order_id",coalesce("charge_id", "order_id")) WHERE "payments"."state" IN ('opening', 'open') AND "payments"."kind" <> 'charge';
--> statement-breakpoint
ALTER TABLE "refunds" DROP COLUMN "otherwise_at";
--> statement-breakpoint
ALTER TABLE "products" DROP CONSTRAINT "products_price_not_negative";--> statement-breakpoint
ALTER TABLE "products" DROP CONSTRAINT "products_compare_at_price_not_negative";--> statement-breakpoint
ALTER TABLE "products" DROP CONSTRAINT "products_early_bird_price_not_negative";--> statement-breakpoint
ALTER TABLE "products" ADD CONSTRAINT "products_price" CHECK ("products"."price" > 0);--> statement-breakpoint
ALTER TABLE "products" ADD CONSTRAINT "products_compare_at_price" CHECK ("products"."compare_at_price" > 0);--> statement-breakpoint
ALTER TABLE "products" ADD CONSTRAINT "products_early_bird_price" CHECK ("products"."early_bird_price" > 0);--> statement-breakpoint
ALTER TABLE "orders" ADD COLUMN "attention" text[] DEFAULT '{}' NOT NULL;--> statement-breakpoint
CREATE INDEX "orders_attention" ON "orders" USING gin ("attention") WHERE "orders"."attention" <> '{}';--> statement-breakpoint
ALTER TABLE "orders" ADD CONSTRAINT "orders_attention" CHECK ("orders"."attention" <@ '{disputed,mismatch,refund-failed,card-refused,pay-again,arrange,refund-owed,parcel-lost,parcel-refused,parcel-returned,expiring}'::text[]);--> statement-breakpoint
DROP INDEX "refunds_without_staff";--> statement-breakpoint
ALTER TABLE "refunds" ADD COLUMN "otherwise_at" timestamp with time zone;--> statement-breakpoint
CREATE INDEX "refunds_otherwise" ON "refunds" USING btree ("otherwise_at") WHERE "refunds"."otherwise_at" IS NOT NULL;--> statement-breakpoint
ALTER TABLE "return_units" ADD COLUMN "promises_shipping" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "arbitration_opt_outs" DISABLE ROW LEVEL SECURITY;--> statement-breakpoint
DROP TABLE "arbitration_opt_outs" CASCADE;--> statement-breakpoint
ALTER TABLE "privacy_requests" DROP CONSTRAINT "privacy_requests_kind";--> statement-breakpoint
ALTER TABLE "privacy_requests" DROP CONSTRAINT "privacy_requests_law";--> statement-breakpoint
DROP INDEX "privacy_requests_open";--> statement-breakpoint
CREATE UNIQUE INDEX "privacy_requests_once" ON "privacy_requests" USING btree (lower("email"),"kind") WHERE "privacy_requests"."state" = 'open' OR "privacy_requests"."kind" = 'arbitration-opt-out';--> statement-breakpoint
ALTER TABLE "privacy_requests" ADD CONSTRAINT "privacy_requests_opt_out" CHECK ("privacy_requests"."kind" <> 'arbitration-opt-out' OR ("privacy_requests"."state" = 'done' AND num_nonnulls("privacy_requests"."email", "privacy_requests"."note") = 2));--> statement-breakpoint
ALTER TABLE "privacy_requests" ADD CONSTRAINT "privacy_requests_kind" CHECK ("privacy_requests"."kind" IN ('data', 'deletion', 'correction', 'objection', 'arbitration-opt-out'));--> statement-breakpoint
ALTER TABLE "privacy_requests" ADD CONSTRAINT "privacy_requests_law" CHECK ("privacy_requests"."law" IN ('gdpr', 'ccpa', 'terms'));
--> statement-breakpoint
ALTER TABLE "order_events" DROP CONSTRAINT "order_events_type";--> statement-breakpoint
ALTER TABLE "order_events" ADD CONSTRAINT "order_events_type" CHECK ("order_events"."type" IN ('placed', 'held', 'authorized', 'card-saved', 'expired', 'authorized-late', 'card-saved-late', 'canceled', 'declined', 'shipped', 'shipment-undone', 'delivered', 'undelivered', 'delivered-late', 'reopened', 'payment-requested', 'charge-asked', 'payment-recorded', 'payment-authorized', 'card-changed', 'payment-failed', 'capture-failed', 'charge-refused', 'charge-announced', 'charge-approved', 'payment-received', 'line-canceled', 'delayed', 'delay-accepted', 'address-changed', 'parcel-shipped', 'parcel-undone', 'tracking-corrected', 'parcel-delivered', 'parcel-refused', 'parcel-lost', 'parcel-returned', 'parcel-resent', 'hold-extended', 'return-changed', 'refunded', 'refund-failed', 'payment-voided', 'payment-mismatch', 'disputed', 'dispute-closed'));
--> statement-breakpoint
CREATE TABLE "waivers" (
	"id" uuid PRIMARY KEY NOT NULL,
	"order_id" uuid NOT NULL,
	"charge_id" uuid,
	"cents" integer NOT NULL,
	"staff_id" uuid,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "waivers_cents" CHECK ("waivers"."cents" > 0)
);
--> statement-breakpoint
ALTER TABLE "waivers" ADD CONSTRAINT "waivers_order_id_orders_id_fk" FOREIGN KEY ("order_id") REFERENCES "public"."orders"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "waivers_order" ON "waivers" USING btree ("order_id");
--> statement-breakpoint
ALTER TABLE "orders" DROP CONSTRAINT "orders_payment_status";--> statement-breakpoint
ALTER TABLE "payments" ADD COLUMN "dispute" text;--> statement-breakpoint
ALTER TABLE "orders" ADD CONSTRAINT "orders_payment_status" CHECK ("orders"."payment_status" IN ('none', 'unpaid', 'card-saved', 'authorized', 'partly-charged', 'captured', 'partly-refunded', 'refunded', 'failed', 'refund-failed', 'mismatch', 'disputed', 'dispute-lost'));--> statement-breakpoint
ALTER TABLE "payments" ADD CONSTRAINT "payments_dispute" CHECK ("payments"."dispute" IN ('open', 'won', 'lost'));
--> statement-breakpoint
ALTER TABLE "orders" ADD COLUMN "gift_message" text;
--> statement-breakpoint
ALTER TABLE "orders" DROP CONSTRAINT "orders_attention";--> statement-breakpoint
ALTER TABLE "orders" ADD CONSTRAINT "orders_attention" CHECK ("orders"."attention" <@ '{disputed,mismatch,refund-failed,card-refused,pay-again,to-cancel,arrange,refund-owed,parcel-lost,parcel-refused,parcel-returned,expiring}'::text[]);
--> statement-breakpoint
CREATE TABLE "discounts" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"code" text,
	"name" text NOT NULL,
	"kind" text NOT NULL,
	"value" integer NOT NULL,
	"minimum" integer DEFAULT 0 NOT NULL,
	"product_ids" uuid[],
	"bundle" jsonb DEFAULT '[]' NOT NULL,
	"starts_at" timestamp with time zone,
	"ends_at" timestamp with time zone,
	"max_uses" integer,
	"once_per_inbox" boolean DEFAULT false NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "discounts_code_unique" UNIQUE("code"),
	CONSTRAINT "discounts_kind" CHECK ("discounts"."kind" IN ('percent', 'amount', 'shipping')),
	CONSTRAINT "discounts_value" CHECK (CASE "discounts"."kind" WHEN 'percent' THEN "discounts"."value" BETWEEN 1 AND 100
      WHEN 'amount' THEN "discounts"."value" > 0 ELSE "discounts"."value" = 0 END),
	CONSTRAINT "discounts_code" CHECK (("discounts"."code" IS NULL) = ("discounts"."bundle" <> '[]')),
	CONSTRAINT "discounts_limits" CHECK ("discounts"."minimum" >= 0 AND coalesce("discounts"."max_uses" > 0, true))
);
--> statement-breakpoint
ALTER TABLE "orders" DROP CONSTRAINT "orders_total";--> statement-breakpoint
ALTER TABLE "orders" ADD COLUMN "discount" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "orders" ADD COLUMN "discount_name" text;--> statement-breakpoint
ALTER TABLE "orders" ADD COLUMN "discount_id" uuid;--> statement-breakpoint
CREATE INDEX "orders_discount" ON "orders" USING btree ("discount_id",(CASE
  WHEN split_part(lower("email"), '@', 2) IN ('gmail.com', 'googlemail.com')
    THEN replace(split_part(split_part(lower("email"), '@', 1), '+', 1), '.', '') || '@gmail.com'
  WHEN lower("email") LIKE '+%' THEN lower("email")
  ELSE split_part(split_part(lower("email"), '@', 1), '+', 1) || '@' || split_part(lower("email"), '@', 2) END)) WHERE "orders"."discount_id" IS NOT NULL AND "orders"."stage" NOT IN ('expired', 'declined', 'canceled');--> statement-breakpoint
ALTER TABLE "orders" ADD CONSTRAINT "orders_discount" CHECK ("orders"."discount" BETWEEN 0 AND "orders"."subtotal");--> statement-breakpoint
ALTER TABLE "orders" ADD CONSTRAINT "orders_total" CHECK ("orders"."total" = "orders"."subtotal" - "orders"."discount" + "orders"."shipping" + "orders"."tax");--> statement-breakpoint
CREATE TABLE "customer_notes" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"email" text NOT NULL,
	"note" text DEFAULT '' NOT NULL,
	"tags" text[] DEFAULT '{}' NOT NULL,
	CONSTRAINT "customer_notes_email_unique" UNIQUE("email"),
	CONSTRAINT "customer_notes_email" CHECK ("customer_notes"."email" = lower("customer_notes"."email"))
);
--> statement-breakpoint
CREATE INDEX "customer_notes_tags" ON "customer_notes" USING gin ("tags");--> statement-breakpoint
ALTER TABLE "profiles" DROP COLUMN "staff_note";
--> statement-breakpoint
CREATE TABLE "consents" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"email" text NOT NULL,
	"kind" text NOT NULL,
	"product_id" uuid,
	"words" text NOT NULL,
	"page" text NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"withdrawn_at" timestamp with time zone,
	"told_at" timestamp with time zone,
	CONSTRAINT "consents_kind" CHECK ("consents"."kind" IN ('news', 'owners', 'back-in-stock')),
	CONSTRAINT "consents_email" CHECK ("consents"."email" = lower("consents"."email")),
	CONSTRAINT "consents_product" CHECK (("consents"."kind" = 'back-in-stock') = ("consents"."product_id" IS NOT NULL))
);
--> statement-breakpoint
ALTER TABLE "consents" ADD CONSTRAINT "consents_product_id_products_id_fk" FOREIGN KEY ("product_id") REFERENCES "public"."products"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "consents_once" ON "consents" USING btree ("email","kind",coalesce("product_id", '00000000-0000-0000-0000-000000000000'::uuid)) WHERE "consents"."withdrawn_at" IS NULL AND "consents"."told_at" IS NULL;--> statement-breakpoint
CREATE INDEX "consents_email" ON "consents" USING btree ("email");--> statement-breakpoint
CREATE INDEX "consents_waiting" ON "consents" USING btree ("product_id","created_at","id");--> statement-breakpoint
CREATE INDEX "consents_newest" ON "consents" USING btree ("created_at" DESC NULLS FIRST,"id" DESC NULLS FIRST);
--> statement-breakpoint
CREATE TABLE "letter_recipients" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"letter_id" uuid NOT NULL,
	"email" text NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"queued_at" timestamp with time zone,
	CONSTRAINT "letter_recipients_once" UNIQUE("letter_id","email")
);
--> statement-breakpoint
CREATE TABLE "letters" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"subject" text NOT NULL,
	"markdown" text DEFAULT '' NOT NULL,
	"audience" text DEFAULT 'news' NOT NULL,
	"product_id" uuid,
	"pace" integer DEFAULT 1000 NOT NULL,
	"state" text DEFAULT 'draft' NOT NULL,
	"version" integer DEFAULT 1 NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"send_at" timestamp with time zone,
	"ended_at" timestamp with time zone,
	CONSTRAINT "letters_audience" CHECK ("letters"."audience" IN ('news', 'waitlist', 'owners')),
	CONSTRAINT "letters_state" CHECK ("letters"."state" IN ('draft', 'scheduled', 'sending', 'sent', 'stopped')),
	CONSTRAINT "letters_pace" CHECK ("letters"."pace" BETWEEN 1 AND 20000),
	CONSTRAINT "letters_time" CHECK ("letters"."state" = 'draft' OR "letters"."send_at" IS NOT NULL)
);
--> statement-breakpoint
ALTER TABLE "letter_recipients" ADD CONSTRAINT "letter_recipients_letter_id_letters_id_fk" FOREIGN KEY ("letter_id") REFERENCES "public"."letters"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "letters" ADD CONSTRAINT "letters_product_id_products_id_fk" FOREIGN KEY ("product_id") REFERENCES "public"."products"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "letter_recipients_email" ON "letter_recipients" USING btree ("email");--> statement-breakpoint
CREATE INDEX "letter_recipients_queued" ON "letter_recipients" USING btree ("letter_id","queued_at");--> statement-breakpoint
CREATE INDEX "letters_newest" ON "letters" USING btree ("created_at" DESC NULLS FIRST,"id" DESC NULLS FIRST);--> statement-breakpoint
CREATE INDEX "letters_due" ON "letters" USING btree ("send_at") WHERE "letters"."state" IN ('scheduled', 'sending');--> statement-breakpoint
ALTER TABLE "order_units" ADD COLUMN "own" boolean DEFAULT false NOT NULL;