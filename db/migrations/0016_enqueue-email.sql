-- Queues one email: {"template": its name, ...what it is about}. The columns are those that pg-boss's own send() writes,
-- from the queue's settings. The shop's statements and triggers call it alike; it writes nothing in silence.
CREATE FUNCTION enqueue_email(job jsonb) RETURNS uuid LANGUAGE plpgsql AS $$
DECLARE
  queued uuid;
BEGIN
  IF job->>'template' IS NULL THEN
    RAISE EXCEPTION 'an email needs the name of its template';
  END IF;
  INSERT INTO pgboss.job (name, data, policy, retry_limit, retry_delay, retry_backoff, retry_delay_max, expire_seconds, deletion_seconds, keep_until)
    SELECT name, job, policy, retry_limit, retry_delay, retry_backoff, retry_delay_max, expire_seconds, deletion_seconds,
      now() + retention_seconds * interval '1 second'
    FROM pgboss.queue WHERE name = 'mail'
    RETURNING id INTO queued;
  IF queued IS NULL THEN
    RAISE EXCEPTION 'there is no queue for emails';
  END IF;
  RETURN queued;
END
$$;
