import type { ActorFacts } from '../../../engine/kernel/registry.ts'
import type { Fields, Layout } from '../layout.ts'

/** The layouts of the facts of one kind of actor. */
export type FactLayouts<Kind extends keyof ActorFacts> = LayoutsOf<ActorFacts[Kind]>

/**
 * The layouts of facts: for each type a tag and its fields. A type keeps its tag for ever, and tags are not reused. A type without a layout
 * does not compile, nor does a layout without its type. A type added later says since which version it exists.
 */
export type LayoutsOf<Fact extends { readonly type: string }> = {
  readonly [Type in Fact['type']]: readonly [
    tag: number,
    fields: Fields<Omit<FactOf<Fact, Type>, 'actor' | 'type'>>,
    added?: Added,
  ]
}

/** The version with which a type of fact came; absent for those of the first version with a gate. */
export type Added = { readonly since: number }

/** Facts no longer written, by their former types: each keeps its tag for ever, and reads as a fact of today. */
export type OlderFacts<Kind extends keyof ActorFacts> = Readonly<
  Record<string, readonly [tag: number, Pick<Layout<ActorFacts[Kind]>, 'read'>]>
>

/** The facts with this type. Types with the same members share one declaration, so `Extract` would not find them. */
type FactOf<Fact extends { readonly type: string }, Type> = Exclude<
  Fact,
  { readonly type: Exclude<Fact['type'], Type> }
>
