import { useState } from 'preact/hooks'
import { del, put, withId } from '../core/api.ts'
import { t } from '../core/language.ts'
import { namesFreshForMs, useAction, useGet } from '../core/query.ts'
import { useFilters } from '../core/router.ts'
import { OffButton, TextButton } from './buttons.tsx'
import { type Closable, FormDialog } from './dialog.tsx'
import { Field, required } from './form.tsx'
import { TabStrip } from './tab-strip.tsx'

/** A person's saved filters of a list, each a link, with a way to save the present ones. Null until loaded. */
export const SavedViews = ({ page }: { page: string }) => {
  const { data, refresh } = useGet('/v1/views', { freshForMs: namesFreshForMs })
  const { query } = useFilters()
  const [isNaming, setNaming] = useState(false)
  const remove = useAction(async (id: string) => {
    await del('/v1/views/{id}', withId(id))
    refresh()
  })
  if (data === null) return null
  const present = keptOf(query)
  const views = data.data.filter((view) => view.page === page)
  const isKnown = views.some((view) => view.query === present)
  if (views.length === 0 && present === '') return null
  return (
    <TabStrip more="views" label={t.views.title}>
      <a href={location.pathname} aria-current={present === '' ? 'page' : undefined}>
        {t.common.all}
      </a>
      {views.map(({ id, name, query }) => (
        <span key={id} class="view">
          <a href={`${location.pathname}?${query}`} aria-current={query === present ? 'page' : undefined}>
            {name}
          </a>
          {query === present && <OffButton name={t.views.remove(name)} onClick={() => remove.run(id)} />}
        </span>
      ))}
      {present !== '' && !isKnown && <TextButton text={t.views.save} onClick={() => setNaming(true)} />}
      {isNaming && (
        <NameDialog page={page} query={present} onClose={() => setNaming(false)} onSaved={refresh} />
      )}
    </TabStrip>
  )
}

/** The query without the page, the page size, the list's time and the open dialog. */
const keptOf = (query: URLSearchParams): string => {
  const kept = new URLSearchParams(query)
  for (const name of ['pagina', 'porPagina', 'asOf', 'novo']) kept.delete(name)
  return kept.toString().replaceAll('%2C', ',')
}

type NameDialogProps = Closable & { page: string; query: string; onSaved: () => void }

const NameDialog = ({ page, query, onClose, onSaved }: NameDialogProps) => (
  <FormDialog
    title={t.views.save}
    submit={t.common.save}
    values={{ name: '' }}
    check={required('name')}
    send={({ name }) => put('/v1/views', { body: { page, name: name!.trim(), query } })}
    onClose={onClose}
    onMade={onSaved}
  >
    <Field name="name" label={t.common.name} isFirst maxLength={60} />
  </FormDialog>
)
