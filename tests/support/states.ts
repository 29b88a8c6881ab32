/** Brings a page into the states in which it is looked at; each is reached when what it is about is there. */
import type { Page } from "@playwright/test";
import { expect } from "./journey.ts";

export async function openMenu(page: Page): Promise<void> {
  await page.getByRole("button", { name: "Menu", exact: true }).click();
  await expect(page.getByRole("dialog", { name: "Menu" })).toBeVisible();
}

export async function searchFor(page: Page, words: string): Promise<void> {
  await page.getByRole("banner").getByRole("link", { name: "Search" }).click();
  await page.getByRole("combobox", { name: "Search the shop" }).fill(words);
  await expect(page.getByRole("option").first()).toBeVisible();
}

export async function openComparison(page: Page): Promise<void> {
  await page.getByRole("button", { name: "Compare Models" }).click();
  await expect(page.getByRole("dialog", { name: "Compare Models" })).toBeVisible();
}

export async function enlargePicture(page: Page): Promise<void> {
  await page
    .getByRole("link", { name: /^Enlarge/ })
    .first()
    .click();
  await expect(page.getByRole("dialog", { name: "Enlarged picture" }).getByRole("img")).toBeVisible();
}

export async function orderNothingFilledIn(page: Page): Promise<void> {
  await page.getByRole("button", { name: "Place Order" }).click();
  for (const message of ["Invalid email address", "Address is required"])
    await expect(page.getByText(message, { exact: true })).toBeVisible();
}

export async function signUpNothingFilledIn(page: Page): Promise<void> {
  await page.getByRole("button", { name: "Create Account" }).click();
  for (const message of ["First name is required", "You must accept the terms"])
    await expect(page.getByText(message)).toBeVisible();
}
