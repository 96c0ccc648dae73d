import { useEffect, useRef, useState } from 'preact/hooks'
import { del, post, type Schemas, withId } from '../core/api.ts'
import { t } from '../core/language.ts'
import { refresh, useGet } from '../core/query.ts'
import { can, sessionStore } from '../core/session.ts'
import { Moment, Section, Trouble } from './basics.tsx'
import { IconButton, TextButton } from './buttons.tsx'
import { Field, Form, required, useForm } from './form.tsx'
import { useChange } from './toasts.tsx'

const pageSize = 10

/** What the team wrote about a transaction or a customer, newest first. */
export const Notes = ({ about: objectId }: { about: string }) => {
  const [pages, setPages] = useState(1)
  const { ref, isNear } = useNearness()
  const {
    data,
    problem,
    refresh: again,
  } = useGet(isNear ? '/v1/notes' : null, {
    query: { objectId, pageSize: pages * pageSize },
  })
  const remove = useChange((id: string) => del('/v1/notes/{id}', withId(id)), t.notes.removed, '/v1/notes')
  const hidden = data === null ? 0 : data.pagination.total - data.data.length
  return (
    <Section title={t.notes.title} note={data?.pagination.total || null}>
      <span ref={ref} />
      {problem && <Trouble of={problem} retry={again} />}
      <Trouble of={remove.problem} />
      {data && data.data.length > 0 && (
        <ol class="timeline">
          {data.data.map((note) => (
            <li key={note.id}>
              <div class="timeline-head">
                <strong>{note.name ?? t.erasedPerson}</strong>
                {mayRemove(note) && (
                  <IconButton
                    icon="trash"
                    name={t.notes.remove(note.name ?? t.erasedPerson)}
                    onClick={() => void remove.run(note.id)}
                  />
                )}
              </div>
              <p class="plain-text">{note.text}</p>
              <p class="hint">
                <Moment at={note.createdAt} style="exact" />
              </p>
            </li>
          ))}
        </ol>
      )}
      {hidden > 0 && <TextButton text={t.notes.more(hidden)} onClick={() => setPages(pages + 1)} />}
      {can('support.manage') ? (
        <NoteForm about={objectId} />
      ) : (
        data?.data.length === 0 && <p class="hint">{t.notes.none}</p>
      )}
    </Section>
  )
}

/** Whether an element is on the screen or nearly: what is far below is read once the reader comes to it. */
const useNearness = () => {
  const ref = useRef<HTMLSpanElement>(null)
  const [isNear, setNear] = useState(false)
  useEffect(() => {
    const observer = new IntersectionObserver(
      (seen) => seen.some((one) => one.isIntersecting) && setNear(true),
      {
        rootMargin: '200px',
      },
    )
    observer.observe(ref.current!)
    return () => observer.disconnect()
  }, [])
  return { ref, isNear }
}

/** One's own; who manages the team removes any. */
const mayRemove = ({ personId }: Schemas['Note']): boolean =>
  can('support.manage') && (can('team.manage') || personId === sessionStore.get()?.person.id)

const NoteForm = ({ about: objectId }: { about: string }) => {
  const form = useForm(
    { text: '' },
    async ({ text }) => {
      await post('/v1/notes', { body: { objectId, text: text!.trim() } })
      form.set('text', '')
      refresh('/v1/notes')
    },
    required('text'),
  )
  return (
    <Form of={form} submit={t.notes.add}>
      <Field name="text" label={t.notes.write} hint={t.notes.hint} lines={2} maxLength={1000} />
    </Form>
  )
}
