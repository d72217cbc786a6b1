// Faults that the tests must see.
// @ts-check

/** @param {import("@playwright/test").Page} _page */
export const plant = async (_page) => {};
