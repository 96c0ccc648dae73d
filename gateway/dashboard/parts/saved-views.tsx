import { useState } from 'preact/hooks'
import { api, dataOf } from '../core/api.ts'
import { t } from '../core/language.ts'
import { useAction, useGet } from '../core/query.ts'
import { useFilters } from '../core/router.ts'
import { Dialog } from './dialog.tsx'
import { Field, Form, requiredError, useForm } from './form.tsx'
import { Icon } from './icons.tsx'

/** A person's named filters of a list: each is a link; the present ones can be kept. Nothing until they are read. */
export const SavedViews = ({ page }: { page: string }) => {
  const { data, refresh } = useGet('/v1/views')
  const { query } = useFilters()
  const [isNaming, setNaming] = useState(false)
  const remove = useAction(async (id: string) => {
    await dataOf(api.DELETE('/v1/views/{id}', { params: { path: { id } } }))
    refresh()
  })
  if (data === null) return null
  const present = keptOf(query)
  const views = data.data.filter((view) => view.page === page)
  const isKnown = views.some((view) => view.query === present)
  if (views.length === 0 && present === '') return null
  return (
    <nav class="tabs views" aria-label={t.views.title}>
      <a href={location.pathname} aria-current={present === '' ? 'page' : undefined}>
        {t.common.all}
      </a>
      {views.map(({ id, name, query }) => (
        <span key={id} class="view">
          <a href={`${location.pathname}?${query}`} aria-current={query === present ? 'page' : undefined}>
            {name}
          </a>
          {query === present && (
            <button
              type="button"
              class="filter-off"
              aria-label={t.views.remove(name)}
              onClick={() => void remove.run(id)}
            >
              <Icon name="x" size={12} />
            </button>
          )}
        </span>
      ))}
      {present !== '' && !isKnown && (
        <button type="button" class="link" onClick={() => setNaming(true)}>
          {t.views.save}
        </button>
      )}
      {isNaming && (
        <NameDialog page={page} query={present} onClose={() => setNaming(false)} onSaved={refresh} />
      )}
    </nav>
  )
}

/** The filters without the place in the list. */
const keptOf = (query: URLSearchParams): string => {
  const kept = new URLSearchParams(query)
  for (const name of ['pagina', 'porPagina', 'asOf', 'novo']) kept.delete(name)
  return kept.toString().replaceAll('%2C', ',')
}

type NameDialogProps = { page: string; query: string; onClose: () => void; onSaved: () => void }

const NameDialog = ({ page, query, onClose, onSaved }: NameDialogProps) => {
  const form = useForm(
    { name: '' },
    async ({ name }) => {
      await dataOf(api.PUT('/v1/views', { body: { page, name: name!.trim(), query } }))
      onSaved()
      onClose()
    },
    ({ name }) => ({ name: requiredError(name) }),
  )
  return (
    <Dialog title={t.views.save} onClose={onClose}>
      <Form of={form} submit={t.common.save} onCancel={onClose}>
        <Field form={form} name="name" label={t.common.name} isFirst maxLength={60} />
      </Form>
    </Dialog>
  )
}
