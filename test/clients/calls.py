"""Calls the service with the Python client that openapi-generator makes. Each test leaves the state as it was."""

import os
import unittest

from openapi_client import ApiClient, ApiException, Configuration, FeaturesApi
from openapi_client.models import FeatureVariantsByNameSchema, FeatureVariantsSchema, PatchSchema, UpdateTagsSchema

CHECKOUT = {"project_id": "default", "feature_name": "checkout"}
PRODUCTION = {**CHECKOUT, "environment": "production"}


def connect(key):
    configuration = Configuration(host=os.environ["BURGEE_URL"], api_key={"apiKey": key})
    return FeaturesApi(ApiClient(configuration))


def patch(op, path, **value):
    return [PatchSchema.from_dict({"op": op, "path": path, **value})]


demo = connect(os.environ["BURGEE_KEY"])
reader = connect(os.environ["BURGEE_READER"])


class ByIndex(unittest.TestCase):
    form = {"by": "index"}
    schema = FeatureVariantsSchema
    add_red = patch("add", "/-", value={"name": "red", "weight": 100, "weightType": "fix"})
    # Production has no green.
    remove_green = patch("remove", "/1")

    def names(self, body):
        return [variant.name for variant in body.variants]

    def body_of(self, response):
        self.assertIsInstance(response.actual_instance, self.schema)
        return response.actual_instance

    def test_reads_variants(self):
        body = self.body_of(demo.get_feature_variants(**CHECKOUT, **self.form))

        self.assertEqual(self.names(body), ["blue", "green"])

    def test_reads_a_feature_without_variants(self):
        response = demo.get_feature_variants("default", "search", **self.form)

        # Not by its schema: an object without members passes for a list without elements.
        self.assertEqual(len(response.actual_instance.variants), 0)

    def test_reads_the_environments_of_a_dry_run(self):
        response = demo.patch_feature_variants(
            **CHECKOUT, **self.form, patch_schema=self.add_red, dry_run=True
        )

        development, _, production = self.body_of(response).environments
        self.assertEqual((development.environment, development.outcome), ("development", "would patch"))
        self.assertEqual(self.names(production), ["blue", "red"])
        self.assertEqual(production.difference[-1].op, "add")

    def test_reads_the_permissions_that_a_dry_run_lacks(self):
        response = reader.patch_feature_variants(
            **CHECKOUT, **self.form, patch_schema=self.add_red, dry_run=True
        )

        missing = [each.permission for each in self.body_of(response).missing_permissions]
        self.assertIn("UPDATE_FEATURE_VARIANTS", missing)

    def test_patches_lists_the_change_and_undoes_it(self):
        response = demo.patch_feature_variants_with_http_info(
            **CHECKOUT, **self.form, patch_schema=self.add_red
        )
        self.assertEqual(self.names(self.body_of(response.data)), ["blue", "green", "red"])

        change_id = response.headers["burgee-change"]
        newest = demo.list_feature_changes(**CHECKOUT).changes[0]
        self.assertEqual((newest.id, newest.environments[0].can_undo), (change_id, True))

        undone = demo.undo_feature_change(**CHECKOUT, **self.form, change_id=change_id)
        self.assertEqual(self.names(self.body_of(undone)), ["blue", "green"])

    def test_reads_why_a_strict_patch_is_refused(self):
        with self.assertRaises(ApiException) as refusal:
            demo.patch_feature_variants(
                **CHECKOUT, **self.form, patch_schema=self.remove_green, prefer="handling=strict"
            )

        error = refusal.exception.data
        self.assertEqual((refusal.exception.status, error.name), (400, "ValidationError"))
        outcomes = [(each.environment, each.outcome) for each in error.details]
        self.assertEqual(outcomes, [("development", "not attempted"), ("staging", "not attempted"), ("production", "failed")])

    def test_reads_and_patches_one_environment(self):
        read = demo.get_environment_feature_variants(**PRODUCTION, **self.form)
        patched = demo.patch_environments_feature_variants(**PRODUCTION, **self.form, patch_schema=[])

        for response in (read, patched):
            self.assertEqual(self.names(self.body_of(response)), ["blue"])


class ByName(ByIndex):
    form = {"by": "name"}
    schema = FeatureVariantsByNameSchema
    add_red = patch("add", "/red", value={"weight": 100, "weightType": "fix"})
    remove_green = patch("remove", "/green")

    def names(self, body):
        return sorted(body.variants)


class Lists(unittest.TestCase):
    def test_reads_projects_and_pages_of_features(self):
        [project] = demo.list_projects().projects
        page = demo.list_features("default", limit=1).actual_instance
        rest = demo.list_features("default", after=page.next).actual_instance

        self.assertEqual((project.id, project.environments), ("default", ["development", "staging", "production"]))
        self.assertEqual([each.name for each in page.features + rest.features], ["cart-reminder", "checkout", "checkout-express", "dark-mode", "fraud-check", "search"])
        self.assertIsNone(rest.next)


class Tags(unittest.TestCase):
    def test_adds_and_removes_a_tag(self):
        tag = {"type": "simple", "value": "team-b"}
        add = UpdateTagsSchema.from_dict({"addedTags": [tag], "removedTags": []})
        remove = UpdateTagsSchema.from_dict({"addedTags": [], "removedTags": [tag]})

        added = demo.update_tags("checkout", add)
        demo.update_tags("checkout", remove)

        self.assertEqual([each.value for each in added.tags], ["team-a", "team-b"])
        self.assertEqual([each.value for each in demo.list_tags("checkout").tags], ["team-a"])

    def test_reads_an_error(self):
        with self.assertRaises(ApiException) as refusal:
            connect("unknown").list_tags("checkout")

        error = refusal.exception.data
        self.assertEqual((refusal.exception.status, error.name), (401, "AuthenticationRequired"))


if __name__ == "__main__":
    unittest.main()
