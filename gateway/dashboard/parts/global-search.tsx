import { useEffect, useId, useRef, useState } from 'preact/hooks'
import { get, type Schemas } from '../core/api.ts'
import { t } from '../core/language.ts'
import { navigate, type PageName, pathTo } from '../core/router.ts'
import { Amount } from './basics.tsx'
import { Icon } from './icons.tsx'
import { pageOf } from './page-of.ts'

type SearchHit = Schemas['SearchHit']

/** Shows the search where it hides for want of room: focused, it covers the bar. */
export const showSearch = (): void => document.querySelector<HTMLElement>('.global-search input')?.focus()

/** Finds anything by an id, a document, a name: at most five of each kind, as one types. */
export const GlobalSearch = () => {
  const id = useId()
  const [text, setText] = useState('')
  const { hits, at, setAt, forget } = useHits(text)
  const box = useRef<HTMLDivElement>(null)
  const close = () => {
    forget()
    setText('')
  }
  const open = (hit: SearchHit | undefined) => {
    if (hit === undefined) return
    close()
    navigate(pathTo(pageOf(hit.id) ?? otherPages[hit.object] ?? 'inicio'))
  }
  return (
    <div
      class="global-search search"
      ref={box}
      onFocusOut={(event) => !box.current?.contains(event.relatedTarget as Node) && forget()}
    >
      <Icon name="search" />
      <input
        type="text"
        data-search
        role="combobox"
        aria-expanded={hits !== null}
        aria-controls={id}
        aria-autocomplete="list"
        {...(hits?.[at] && { 'aria-activedescendant': `${id}-${at}` })}
        aria-label={t.search.label}
        placeholder={t.search.label}
        autoComplete="off"
        spellcheck={false}
        value={text}
        onInput={(event) => setText(event.currentTarget.value)}
        onKeyDown={(event) => {
          if (event.key === 'Escape') close()
          if (hits === null) return
          if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
            event.preventDefault()
            const step = event.key === 'ArrowDown' ? 1 : -1
            setAt((at + step + hits.length) % Math.max(1, hits.length))
          }
          if (event.key === 'Enter') open(hits[at])
        }}
      />
      <Hits id={id} of={hits} at={at} open={open} />
    </div>
  )
}

/** The hits of a text once typing pauses, and which of them is selected. */
const useHits = (text: string) => {
  const [hits, setHits] = useState<readonly SearchHit[] | null>(null)
  const [at, setAt] = useState(0)
  const forget = () => setHits(null)
  useEffect(() => {
    const q = text.trim()
    if (q.length < 2) return forget()
    let isOld = false
    const timer = setTimeout(() => {
      get('/v1/search', { params: { query: { q } } })
        .then(({ data }) => {
          if (isOld) return
          setHits(data)
          setAt(0)
        })
        .catch(() => !isOld && setHits([]))
    }, 250)
    return () => {
      isOld = true
      clearTimeout(timer)
    }
  }, [text])
  return { hits, at, setAt, forget }
}

type HitsProps = { id: string; of: readonly SearchHit[] | null; at: number; open: (hit: SearchHit) => void }

const Hits = ({ id, of, at, open }: HitsProps) => (
  <div id={id} class="hits" role="listbox" aria-label={t.search.label} hidden={of === null}>
    {of?.map((hit, n) => (
      <div
        key={hit.id}
        id={`${id}-${n}`}
        class="hit"
        role="option"
        aria-selected={n === at}
        tabIndex={-1}
        onMouseDown={(event) => {
          event.preventDefault()
          open(hit)
        }}
      >
        <span class="muted">{t.search.kind[hit.object]}</span>
        <span class="hit-title">{hit.title}</span>
        {hit.amount && <Amount of={hit.amount} />}
      </div>
    ))}
    {of?.length === 0 && (
      <div class="hint" role="option" aria-selected={false} tabIndex={-1}>
        {t.search.nothing}
      </div>
    )}
  </div>
)

const otherPages: Readonly<Partial<Record<SearchHit['object'], PageName>>> = {
  coupon: 'cupons',
  api_key: 'chaves',
}
