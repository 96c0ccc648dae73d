import { newStore, useStore } from './store.ts'

/** Where the browser is: path and query, without the origin. */
const address = newStore(location.pathname + location.search)

addEventListener('popstate', () => address.set(location.pathname + location.search))

/** Goes to an address of the dashboard, or to the present one with another query. */
export const navigate = (to: string, { replaces = false }: { replaces?: boolean } = {}): void => {
  if (to === address.get()) return
  const isOtherPage = to.split('?')[0] !== location.pathname
  history[replaces ? 'replaceState' : 'pushState'](null, '', to)
  address.set(to)
  if (isOtherPage) {
    scrollTo(0, 0)
    focusHeading(document.activeElement)
  }
}

/** Readers of screens hear the new page's heading, as after a full load: once its code is there, unless the focus went on meanwhile. */
const focusHeading = (from: Element | null): void => {
  requestAnimationFrame(() => {
    const { activeElement } = document
    if (activeElement !== from && activeElement !== document.body) return
    const heading = document.querySelector<HTMLElement>('h1')
    if (heading === null) focusHeading(from)
    else heading.focus({ preventScroll: true })
  })
}

/** Lets plain links to the dashboard change the page without loading it. */
export const followLinks = (): void =>
  document.addEventListener('click', (event) => {
    const link = event.target instanceof Element ? event.target.closest('a') : null
    if (link === null || event.defaultPrevented || event.button !== 0) return
    if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return
    if (link.target !== '' || link.hasAttribute('download') || link.origin !== location.origin) return
    if (!/^\/painel(\/|$)/.test(link.pathname)) return
    // A link within the page is the browser's.
    if (link.hash !== '' && link.pathname === location.pathname) return
    event.preventDefault()
    navigate(link.pathname + link.search)
  })

/** The decoded segments of a path below `/painel`. One with a broken escape is kept, and leads to no page. */
const segmentsOf = (path: string): readonly string[] =>
  path
    .split('/')
    .filter(Boolean)
    .slice(1)
    .map((part) => {
      try {
        return decodeURIComponent(part)
      } catch {
        return part
      }
    })

/** The parts of the present address. */
export const useAddress = (): { readonly path: readonly string[]; readonly query: URLSearchParams } => {
  const [path = '', query = ''] = useStore(address).split('?')
  return { path: segmentsOf(path), query: new URLSearchParams(query) }
}

/** Where the person works: a company in an environment, as the address says. */
export type Place = { readonly companyId: string; readonly environment: 'SANDBOX' | 'PRODUCTION' }

const environments = { sandbox: 'SANDBOX', producao: 'PRODUCTION' } as const

/** The place of a path; null outside a company. */
export const placeOf = ([companyId, name]: readonly string[]): Place | null => {
  if (companyId === undefined || !companyId.startsWith('cmp_') || name === undefined) return null
  const environment = environments[name as keyof typeof environments]
  return environment === undefined ? null : { companyId, environment }
}

/** The place of the present address, for requests. */
export const currentPlace = (): Place | null => placeOf(segmentsOf(location.pathname))

/** Whether the present address is of the Sandbox. */
export const isSandbox = (): boolean => currentPlace()?.environment === 'SANDBOX'

/** The pages by the word of their address, which `pages/index.ts` adds. */
export interface PageNames {}
export type PageName = keyof PageNames

/** A page, or something below it: a row, a part, a query. */
export type PagePath = PageName | `${PageName}/${string}` | `${PageName}?${string}`

/** The address of a page in a place. */
export const pathIn = ({ companyId, environment }: Place, page: PagePath = 'inicio'): string =>
  `/painel/${companyId}/${environment === 'SANDBOX' ? 'sandbox' : 'producao'}/${page}`

/** The address of a page in the present place. */
export const pathTo = (page: PagePath): string => {
  const place = currentPlace()
  return place === null ? '/painel' : pathIn(place, page)
}

/** The query of the address as filters: reading, and changing some at a time, which leads back to the first page. */
export const useFilters = () => {
  const { query } = useAddress()
  return {
    query,
    get: (name: string): string => query.get(name) ?? '',
    list: (name: string): readonly string[] => query.get(name)?.split(',').filter(Boolean) ?? [],
    set: (changes: Readonly<Record<string, string>>, options?: { replaces?: boolean }): void => {
      const next = new URLSearchParams(location.search)
      for (const name of ['pagina', 'asOf']) if (!(name in changes)) next.delete(name)
      for (const [name, value] of Object.entries(changes)) {
        if (value === '') next.delete(name)
        else next.set(name, value)
      }
      // Commas separate values in every filter, and read better as they are.
      const text = next.toString().replaceAll('%2C', ',')
      navigate(text === '' ? location.pathname : `${location.pathname}?${text}`, options)
    },
    clear: (names: readonly string[]): void => {
      const next = new URLSearchParams(location.search)
      for (const name of [...names, 'pagina', 'asOf']) next.delete(name)
      const text = next.toString()
      navigate(text === '' ? location.pathname : `${location.pathname}?${text}`)
    },
  }
}

export type Filters = ReturnType<typeof useFilters>
