-- Keys made before keys had an end sign for 90 days too; where those are over, the next token brings a new one.
UPDATE jwks SET expires_at = created_at + interval '90 days' WHERE expires_at IS NULL;
