/** Named filters of a person come with the API that keeps them. */
export const SavedViews = (_: { page: string }) => null
